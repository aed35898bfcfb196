import { randomFillSync } from 'node:crypto';

/** The kinds of thing that have a prefixed id. */
export type IdPrefix =
  | 'apr'
  | 'att'
  | 'aud'
  | 'avl'
  | 'bkg'
  | 'chk'
  | 'crt'
  | 'dec'
  | 'dpu'
  | 'evd'
  | 'evt'
  | 'exe'
  | 'key'
  | 'mbr'
  | 'msg'
  | 'pay'
  | 'pol'
  | 'ptn'
  | 'req'
  | 'ses'
  | 'sub'
  | 'wf'
  | 'whk';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARS = 10;
const RANDOM_BYTES = 16;

/** Fetched in advance: asking for a few bytes at a time costs more than the bytes. */
const store = new Uint8Array(RANDOM_BYTES * 256);
let used = store.length;

const random = new Uint8Array(RANDOM_BYTES);
/** The same as character codes: text made of them at once is cheaper than text put together letter by letter. */
const codes: number[] = Array(RANDOM_BYTES).fill(0);
let lastTime = -1;
let timePart = '';

/** Five random bits a character; counting up within a millisecond keeps one process's ids in order. */
function nextRandom(sameMillisecond: boolean): void {
  if (!sameMillisecond) {
    if (used === store.length) {
      randomFillSync(store);
      used = 0;
    }
    for (let i = 0; i < RANDOM_BYTES; i++) random[i] = store[used++]! & 31;
    random[0]! &= 15; // room to count up without overflow
    return;
  }
  let i = RANDOM_BYTES - 1;
  while (random[i] === 31) random[i--] = 0;
  random[i]!++;
}

/** `evt_` and 26 characters: milliseconds first, so that ids sort by the time they were made. */
export function newId(prefix: IdPrefix, now: number = Date.now()): string {
  const sameMillisecond = now <= lastTime;
  if (!sameMillisecond) {
    lastTime = now;
    timePart = '';
    for (let i = 0, rest = now; i < TIME_CHARS; i++, rest = Math.floor(rest / 32)) {
      timePart = ALPHABET[rest % 32] + timePart;
    }
  }
  nextRandom(sameMillisecond);
  for (let i = 0; i < RANDOM_BYTES; i++) codes[i] = ALPHABET.charCodeAt(random[i]!);
  return `${prefix}_${timePart}${String.fromCharCode(...codes)}`;
}

/** Whether a text from outside can be an id at all; what cannot need not be looked up. */
export function looksLikeId(text: string): boolean {
  return /^[\w-]{1,64}$/.test(text);
}
