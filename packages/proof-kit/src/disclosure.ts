/**
 * Disclosures of RFC 9901 (SD-JWT) for members of objects: a salted text with one name and one value, and its digest in `_sd`
 * of the object it belongs to. The holder of the disclosure can show the value and prove that it was sealed. The digest alone
 * reveals nothing, because the salt cannot be guessed.
 */
import { fromBase64Url, toBase64Url, utf8 } from './bytes.ts';
import { canonicalJson, type JsonValue } from './canonical.ts';
import { sha256 } from './sha256.ts';
import { parseStrictJson } from './strict-json.ts';

/** External functions for sealing. A server passes native ones, which are faster. */
export interface SealTools {
  /** A new salt of 128 random bits in base64url, or the one drawn for this path before. */
  salt: (path: string) => string;
  /** The base64url form of a text's UTF-8 bytes. */
  encode?: (text: string) => string;
  /** The base64url form of the SHA-256 of an ASCII text. */
  digest?: (text: string) => string;
}

export interface Disclosure {
  salt: string;
  name: string;
  value: JsonValue;
}

/** Names that RFC 9901 reserves, so they cannot be disclosed. */
const RESERVED = ['_sd', '...'];

const encodeText = (text: string): string => toBase64Url(utf8(text));

/** The salt made from 16 random bytes. */
export function saltFrom(randomBytes: Uint8Array): string {
  if (randomBytes.length < 16) throw new TypeError('a salt has at least 128 random bits');
  return toBase64Url(randomBytes);
}

/** `base64url(JSON [salt, name, value])`, the JSON in its canonical form. */
export function makeDisclosure(
  salt: string,
  name: string,
  value: JsonValue,
  encode: (text: string) => string = encodeText,
): string {
  if (RESERVED.includes(name)) throw new TypeError(`a member named ${name} cannot be disclosed`);
  return encode(canonicalJson([salt, name, value]));
}

/** The digest of a disclosure: over its encoded text, not over the JSON inside. */
export function disclosureDigest(disclosure: string): string {
  return toBase64Url(sha256(utf8(disclosure)));
}

/**
 * Throws for anything that is not a disclosure of an object member. Any spelling of the JSON is accepted, since the digest
 * covers it.
 */
export function parseDisclosure(disclosure: string): Disclosure {
  const parts = parseStrictJson(
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(fromBase64Url(disclosure)),
  );
  if (!Array.isArray(parts) || parts.length !== 3) throw new TypeError('a disclosure is a list of three');
  const [salt, name, value] = parts;
  if (typeof salt !== 'string' || typeof name !== 'string') throw new TypeError('salt and name are text');
  if (RESERVED.includes(name)) throw new TypeError(`a member named ${name} cannot be disclosed`);
  return { salt, name, value: value! };
}
