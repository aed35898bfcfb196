/**
 * C2SP signed notes (c2sp.org/signed-note) with Ed25519 keys: a text, a blank line, and signature lines that name their
 * key. Verifying uses Web Crypto; signing is left to a function of the caller, so that private keys never come here.
 */
import { type Bytes, concatBytes, fromBase64, toBase64, toHex, utf8 } from './bytes.ts';
import { sha256 } from './sha256.ts';

/** A public key and the name it signs under. */
export interface NoteKey {
  name: string;
  /** The 32 bytes of RFC 8032. */
  publicKey: Uint8Array;
}

export interface NoteSignature {
  name: string;
  /** 8 hex digits. */
  keyId: string;
  signature: Bytes;
}

export interface SignedNote {
  /** What was signed, its final newline included. */
  text: string;
  signatures: NoteSignature[];
}

export type SignatureVerdict =
  | 'valid'
  | 'invalid'
  /** No signature line carries this key's name and id. */
  | 'unsigned'
  /** This browser or runtime offers no Ed25519. */
  | 'unsupported';

const ED25519 = 'Ed25519';
const ED25519_TYPE = 0x01;
const PUBLIC_KEY_BYTES = 32;
const KEY_ID_BYTES = 4;
const SIGNATURE_LINE_START = '\u2014 ';
/** C2SP asks for a limit and wants at least 16 signatures to fit below it. */
const MAX_SIGNATURES = 32;
const MAX_NOTE_LENGTH = 200_000;

const KEY_NAME = /^[^\s+]+$/u;

function hasControlCharacter(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 && code !== 0x0a) return true;
  }
  return false;
}

function requireKey(key: NoteKey): void {
  if (!KEY_NAME.test(key.name))
    throw new TypeError('a key name has at least one character, no space and no plus');
  if (key.publicKey.length !== PUBLIC_KEY_BYTES) throw new TypeError('an Ed25519 public key has 32 bytes');
}

function keyIdBytes(key: NoteKey): Bytes {
  requireKey(key);
  const hashed = sha256(concatBytes(utf8(`${key.name}\n`), Uint8Array.of(ED25519_TYPE), key.publicKey));
  return hashed.subarray(0, KEY_ID_BYTES);
}

/** The short id that a signature line carries: it tells keys apart, the key itself gives the trust. */
export function noteKeyId(key: NoteKey): string {
  return toHex(keyIdBytes(key));
}

/** The one-line form in which public keys of notes are published and configured. */
export function formatVerifierKey(key: NoteKey): string {
  const material = concatBytes(Uint8Array.of(ED25519_TYPE), key.publicKey);
  return `${key.name}+${noteKeyId(key)}+${toBase64(material)}`;
}

export function parseVerifierKey(line: string): NoteKey {
  const parts = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/u.exec(line);
  if (parts === null) throw new TypeError('a verifier key reads name+id+base64');
  const material = fromBase64(parts[3]!);
  if (material[0] !== ED25519_TYPE) throw new TypeError('only Ed25519 verifier keys are supported');
  const key: NoteKey = { name: parts[1]!, publicKey: material.subarray(1) };
  if (noteKeyId(key) !== parts[2]) throw new TypeError('the id of the verifier key does not belong to it');
  return key;
}

function parseSignatureLine(line: string): NoteSignature {
  if (!line.startsWith(SIGNATURE_LINE_START))
    throw new TypeError('a signature line begins with a dash and a space');
  const [name, encoded, ...more] = line.slice(SIGNATURE_LINE_START.length).split(' ');
  if (name === undefined || encoded === undefined || more.length > 0 || !KEY_NAME.test(name)) {
    throw new TypeError('a signature line holds a key name and a signature');
  }
  const bytes = fromBase64(encoded);
  if (bytes.length <= KEY_ID_BYTES) throw new TypeError('the signature is too short');
  return { name, keyId: toHex(bytes.subarray(0, KEY_ID_BYTES)), signature: bytes.slice(KEY_ID_BYTES) };
}

/** Throws a TypeError for anything that is not exactly a signed note. */
export function parseSignedNote(note: string): SignedNote {
  if (note.length > MAX_NOTE_LENGTH) throw new TypeError('the note is too long');
  if (!note.isWellFormed() || hasControlCharacter(note))
    throw new TypeError('the note holds forbidden characters');
  const border = note.lastIndexOf('\n\n');
  if (border < 0 || !note.endsWith('\n')) throw new TypeError('the note has no signature part');
  const lines = note.slice(border + 2, -1).split('\n');
  if (lines.length > MAX_SIGNATURES) throw new TypeError('the note has too many signatures');
  return { text: note.slice(0, border + 1), signatures: lines.map(parseSignatureLine) };
}

/** Joins a text with its signature by one key. `sign` gets the exact bytes to sign. */
export async function signNote(
  text: string,
  key: NoteKey,
  sign: (bytes: Bytes) => Uint8Array | Promise<Uint8Array>,
): Promise<string> {
  if (!text.endsWith('\n') || !text.isWellFormed() || hasControlCharacter(text)) {
    throw new TypeError('a note text ends in a newline and holds no other control characters');
  }
  const encoded = toBase64(concatBytes(keyIdBytes(key), await sign(utf8(text))));
  return `${text}\n${SIGNATURE_LINE_START}${key.name} ${encoded}\n`;
}

async function importKey(publicKey: Uint8Array) {
  return globalThis.crypto.subtle.importKey('raw', publicKey.slice(), ED25519, false, ['verify']);
}

/** Asked only after a key was refused, to tell a bad key from a runtime without Ed25519 or without a secure origin. */
async function isEd25519Supported(): Promise<boolean> {
  // The encoding of the curve's base point: a key that every implementation accepts.
  const basePoint = new Uint8Array(PUBLIC_KEY_BYTES).fill(0x66);
  basePoint[0] = 0x58;
  return importKey(basePoint).then(
    () => true,
    () => false,
  );
}

/** Checks the signature that a known key made; signatures by other keys are ignored, as the format demands. */
export async function verifyNote(note: SignedNote, key: NoteKey): Promise<SignatureVerdict> {
  const keyId = noteKeyId(key);
  const own = note.signatures.filter((line) => line.name === key.name && line.keyId === keyId);
  if (own.length === 0) return 'unsigned';
  try {
    const imported = await importKey(key.publicKey);
    for (const line of own) {
      const good = await globalThis.crypto.subtle.verify(ED25519, imported, line.signature, utf8(note.text));
      if (!good) return 'invalid';
    }
    return 'valid';
  } catch {
    return (await isEd25519Supported()) ? 'invalid' : 'unsupported';
  }
}
