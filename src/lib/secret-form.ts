import { randomBytes } from 'node:crypto';
import { sha256Hex } from './crypto.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PUBLIC_ID_LENGTH = 8;
const SECRET_BYTES = 32;
/** The maximum number of base62 digits for 32 bytes. Shorter numbers are padded, so that every secret has the same length. */
const SECRET_LENGTH = 43;

function base62(bytes: Uint8Array, length: number): string {
  let number = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let digits = '';
  while (digits.length < length) {
    digits = ALPHABET[Number(number % 62n)] + digits;
    number /= 62n;
  }
  return digits;
}

interface FreshSecret {
  plaintext: string;
  publicId: string;
  secretHash: string;
}

/** The form of API keys and SCIM tokens: a prefix, a public id to look them up by, and the secret. */
export function secretForm(prefix: string) {
  const form = new RegExp(`^${prefix}([0-9A-Za-z]{${PUBLIC_ID_LENGTH}})_([0-9A-Za-z]{${SECRET_LENGTH}})$`);
  return {
    /** A new secret. Its public id begins with the letter of the cell. The plaintext is returned once and stored nowhere. */
    fresh(cell: string): FreshSecret {
      const publicId = cell + base62(randomBytes(PUBLIC_ID_LENGTH), PUBLIC_ID_LENGTH - cell.length);
      const plaintext = `${prefix}${publicId}_${base62(randomBytes(SECRET_BYTES), SECRET_LENGTH)}`;
      return { plaintext, publicId, secretHash: sha256Hex(plaintext) };
    },
    looksLike: (token: string): boolean => token.startsWith(prefix),
    /** The part by which a secret is looked up, or null if the text has another form. */
    publicIdOf: (token: string): string | null => form.exec(token)?.[1] ?? null,
  };
}
