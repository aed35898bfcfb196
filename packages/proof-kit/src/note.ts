/**
 * C2SP signed notes (c2sp.org/signed-note) with Ed25519 keys: a text, a blank line, and signature lines that name their key.
 * Verification uses Web Crypto; the caller provides the signing function, so private keys never enter this code.
 */
import { type Bytes, concatBytes, fromBase64, toBase64, toHex, utf8 } from './bytes.ts';
import { verifyEd25519 } from './ed25519.ts';
import { KEY_ID_BYTES, KEY_NAME, type NoteKey, noteKeyId, noteKeyIdBytes } from './vkey.ts';

/** Makes an Ed25519 signature over exactly these bytes. */
export type Sign = (bytes: Bytes) => Uint8Array | Promise<Uint8Array>;

export interface NoteSignature {
  name: string;
  /** 8 hex digits. */
  keyId: string;
  signature: Bytes;
}

export interface SignedNote {
  /** The signed text, including its final newline. */
  text: string;
  signatures: NoteSignature[];
}

export type SignatureStatus =
  | 'valid'
  | 'invalid'
  /** No signature line has this key's name and id. */
  | 'unsigned'
  /** This browser or runtime does not support Ed25519. */
  | 'unsupported';

const SIGNATURE_LINE_START = '\u2014 ';
/** C2SP requires a limit that at least 16 signatures fit below. */
const MAX_SIGNATURES = 32;
const MAX_NOTE_BYTES = 65_536;

function hasControlCharacter(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 && code !== 0x0a) return true;
  }
  return false;
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
  if (note.length > MAX_NOTE_BYTES || utf8(note).length > MAX_NOTE_BYTES)
    throw new TypeError('the note is too long');
  if (!note.isWellFormed() || hasControlCharacter(note))
    throw new TypeError('the note holds forbidden characters');
  const border = note.lastIndexOf('\n\n');
  if (border < 0 || !note.endsWith('\n')) throw new TypeError('the note has no signature part');
  const lines = note.slice(border + 2, -1).split('\n');
  if (lines.length > MAX_SIGNATURES) throw new TypeError('the note has too many signatures');
  return { text: note.slice(0, border + 1), signatures: lines.map(parseSignatureLine) };
}

/** A signature line of a note, including its newline. */
export function signatureLine(name: string, keyId: Uint8Array, signature: Uint8Array): string {
  return `${SIGNATURE_LINE_START}${name} ${toBase64(concatBytes(keyId, signature))}\n`;
}

/** Reads signature lines without their note, as a witness returns them. */
export function parseSignatureLines(lines: string): NoteSignature[] {
  if (!lines.endsWith('\n')) throw new TypeError('a signature line ends in a newline');
  return lines.slice(0, -1).split('\n').map(parseSignatureLine);
}

/** Joins a text with its signature by one key. `sign` gets the exact bytes to sign. */
export async function signNote(text: string, key: NoteKey, sign: Sign): Promise<string> {
  if (!text.endsWith('\n') || !text.isWellFormed() || hasControlCharacter(text)) {
    throw new TypeError('a note text ends in a newline and holds no other control characters');
  }
  return `${text}\n${await noteSignature(text, key, sign)}`;
}

/** The signature line of an additional key for a note. */
export async function noteSignature(text: string, key: NoteKey, sign: Sign): Promise<string> {
  return signatureLine(key.name, noteKeyIdBytes(key), await sign(utf8(text)));
}

/** Those of the keys that signed a note; none if a signature of one of them is wrong. */
export async function signersOf<Key extends NoteKey>(note: SignedNote, keys: readonly Key[]): Promise<Key[]> {
  const statuses = await Promise.all(keys.map((key) => verifyNote(note, key)));
  return statuses.includes('invalid') ? [] : keys.filter((_, i) => statuses[i] === 'valid');
}

/** Checks the first signature of a known key; later ones and those of other keys are ignored, as in other implementations. */
export async function verifyNote(note: SignedNote, key: NoteKey): Promise<SignatureStatus> {
  const keyId = noteKeyId(key);
  const own = note.signatures.find((line) => line.name === key.name && line.keyId === keyId);
  return own ? verifyEd25519(key.publicKey, own.signature, utf8(note.text)) : 'unsigned';
}
