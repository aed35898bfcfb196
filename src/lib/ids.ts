import { randomFillSync } from 'node:crypto';

/** The kinds of thing that have a prefixed id. */
export type IdPrefix =
  | 'apr'
  | 'att'
  | 'aud'
  | 'avl'
  | 'bkg'
  | 'chk'
  | 'cht'
  | 'crt'
  | 'dec'
  | 'dlg'
  | 'dpu'
  | 'evd'
  | 'evt'
  | 'exe'
  | 'grp'
  | 'key'
  | 'mal'
  | 'mbr'
  | 'mnd'
  | 'msg'
  | 'pay'
  | 'pol'
  | 'psk'
  | 'ptn'
  | 'ses'
  | 'sub'
  | 'wf'
  | 'whk';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const STAMP_CHARS = 10;
const RANDOM_CHARS = 16;
const REQUEST_CHARS = 26;

/** Fetched in advance: asking for a few bytes at a time costs more than the bytes. No byte is used twice. */
const store = new Uint8Array(RANDOM_CHARS * 256);
let used = store.length;

/** Character codes: text made of them at once is cheaper than text put together letter by letter. */
const idCodes: number[] = Array(RANDOM_CHARS).fill(0);
const requestCodes: number[] = Array(REQUEST_CHARS).fill(0);

/** Five fresh random bits a character. */
function randomText(codes: number[]): string {
  if (used + codes.length > store.length) {
    randomFillSync(store);
    used = 0;
  }
  for (let i = 0; i < codes.length; i++) codes[i] = ALPHABET.charCodeAt(store[used++]! & 31);
  return String.fromCharCode(...codes);
}

/** So many ids of a millisecond are told apart by their stamps; those beyond take the next millisecond's. */
const STAMPS_PER_MILLISECOND = 256;
let lastStamp = -1;
/** All but the last two characters, which are all that changes within a few milliseconds. */
let stampHead = '';
let headValue = -1;

function stampText(stamp: number): string {
  const head = Math.floor(stamp / 1024);
  if (head !== headValue) {
    headValue = head;
    stampHead = '';
    for (let i = 2, rest = head; i < STAMP_CHARS; i++, rest = Math.floor(rest / 32)) {
      stampHead = ALPHABET[rest % 32] + stampHead;
    }
  }
  const tail = stamp % 1024;
  return stampHead + ALPHABET[tail >> 5] + ALPHABET[tail & 31];
}

/** The letters of cells: those of ids, so that an id has one alphabet. */
export const CELL_LETTERS = ALPHABET.replace(/\d/g, '');
let cell = CELL_LETTERS[0]!;

/** Sets the cell of the ids that this process makes from now on. */
export function makeIdsOf(letter: string): void {
  cell = letter;
}

/**
 * `evt_` and 27 characters. The first ten are a stamp: the time, counting up within a millisecond, so that ids sort in
 * the order in which one process made them. Then the letter of the cell; ids of 26 characters, from before there were cells,
 * lack it and belong to cell a. The last sixteen are 80 bits drawn anew for each id: one that is known says nothing about
 * its neighbours.
 */
export function newId(prefix: IdPrefix, now: number = Date.now()): string {
  lastStamp = Math.max(now * STAMPS_PER_MILLISECOND, lastStamp + 1);
  return `${prefix}_${stampText(lastStamp)}${cell}${randomText(idCodes)}`;
}

/** Below every id that was made from this moment on, above all that were made before. */
export function firstIdAt(prefix: IdPrefix, moment: Date): string {
  return `${prefix}_${stampText(moment.getTime() * STAMPS_PER_MILLISECOND)}`;
}

/** When an id was made, by its stamp; null if it has none. */
export function momentOf(id: string): Date | null {
  const digits = [...id.slice(id.indexOf('_') + 1).slice(0, STAMP_CHARS)].map((letter) =>
    ALPHABET.indexOf(letter),
  );
  if (digits.length < STAMP_CHARS || digits.includes(-1)) return null;
  return new Date(Math.floor(digits.reduce((sum, digit) => sum * 32 + digit, 0) / STAMPS_PER_MILLISECOND));
}

/** Names a request. It sorts nowhere and takes no stamp, so it says nothing about the ids made meanwhile. */
export function newRequestId(): string {
  return `req_${randomText(requestCodes)}`;
}

/** Whether a text from outside can be an id at all; what cannot need not be looked up. */
export function looksLikeId(text: string): boolean {
  return /^[\w-]{1,64}$/.test(text);
}
