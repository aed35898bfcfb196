import { randomBytes } from 'node:crypto';
import { sha256Hex } from '../../lib/crypto.ts';

const PREFIX = 'csk_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PUBLIC_ID_LENGTH = 8;
const SECRET_BYTES = 32;
/** The maximum number of base62 digits for 32 bytes. Shorter numbers are padded, so that every key has the same length. */
const SECRET_LENGTH = 43;

const FORM = new RegExp(`^${PREFIX}([0-9A-Za-z]{${PUBLIC_ID_LENGTH}})_([0-9A-Za-z]{${SECRET_LENGTH}})$`);

function base62(bytes: Uint8Array, length: number): string {
  let number = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let digits = '';
  while (digits.length < length) {
    digits = ALPHABET[Number(number % 62n)] + digits;
    number /= 62n;
  }
  return digits;
}

interface FreshKey {
  plaintext: string;
  publicId: string;
  secretHash: string;
}

/** A new key. Its public id begins with the letter of the cell. The plaintext is returned once and stored nowhere. */
export function freshKey(cell: string): FreshKey {
  const publicId = cell + base62(randomBytes(PUBLIC_ID_LENGTH), PUBLIC_ID_LENGTH - cell.length);
  const plaintext = `${PREFIX}${publicId}_${base62(randomBytes(SECRET_BYTES), SECRET_LENGTH)}`;
  return { plaintext, publicId, secretHash: sha256Hex(plaintext) };
}

export function looksLikeKey(token: string): boolean {
  return token.startsWith(PREFIX);
}

/** The part by which a key is looked up, or null if the text is not a key. */
export function publicIdOf(token: string): string | null {
  return FORM.exec(token)?.[1] ?? null;
}
