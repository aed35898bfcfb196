import { randomFillSync } from 'node:crypto';

/** The kinds of objects that have a prefixed id. */
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
  | 'idn'
  | 'key'
  | 'pfl'
  | 'ptt'
  | 'scm'
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

/** Random bytes are fetched in advance, because small requests cost more than the bytes. No byte is used twice. */
const store = new Uint8Array(RANDOM_CHARS * 256);
let used = store.length;

/** Character codes: building the text in one call is cheaper than concatenating characters. */
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

/** The number of ids per millisecond with distinct stamps; further ids take the next millisecond. */
const STAMPS_PER_MILLISECOND = 256;
let lastStamp = -1;
/** All but the last two characters, which are the only ones that change within a few milliseconds. */
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

/** The letters of cells come from the alphabet of ids. */
export const CELL_LETTERS = ALPHABET.replace(/\d/g, '');
let cell = CELL_LETTERS[0]!;

/** Sets the cell of the ids that this process creates from now on. */
export function makeIdsOf(letter: string): void {
  cell = letter;
}

/**
 * `evt_` and 27 characters. The first ten are a stamp: the time plus a counter within a millisecond, so ids sort in the order
 * in which one process created them. Then follows the letter of the cell; older ids of 26 characters lack it and belong to
 * cell a. The last sixteen are 80 random bits per id, so one id reveals nothing about its neighbors.
 */
export function newId(prefix: IdPrefix, now: number = Date.now()): string {
  lastStamp = Math.max(now * STAMPS_PER_MILLISECOND, lastStamp + 1);
  return `${prefix}_${stampText(lastStamp)}${cell}${randomText(idCodes)}`;
}

/** Less than every id created from this moment on, greater than all created before. */
export function firstIdAt(prefix: IdPrefix, moment: Date): string {
  return `${prefix}_${stampText(moment.getTime() * STAMPS_PER_MILLISECOND)}`;
}

/** The creation time in an id's stamp, or null if it has none. */
export function momentOf(id: string): Date | null {
  const digits = [...id.slice(id.indexOf('_') + 1).slice(0, STAMP_CHARS)].map((letter) =>
    ALPHABET.indexOf(letter),
  );
  if (digits.length < STAMP_CHARS || digits.includes(-1)) return null;
  return new Date(Math.floor(digits.reduce((sum, digit) => sum * 32 + digit, 0) / STAMPS_PER_MILLISECOND));
}

/** An id for a request. It has no stamp, so it reveals nothing about other ids. */
export function newRequestId(): string {
  return `req_${randomText(requestCodes)}`;
}

/** Whether a text can be an id at all; otherwise no lookup is needed. */
export function looksLikeId(text: string): boolean {
  return /^[\w-]{1,64}$/.test(text);
}
