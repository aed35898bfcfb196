/**
 * Verifier keys ("vkeys") of C2SP signed notes: `name+id+base64(type || key)`, the one-line form in which public keys are
 * published and configured. Two types are supported: a service signs its checkpoints with plain Ed25519 (0x01), a witness its
 * timestamped cosignatures (0x04). The type is part of the id, so a key of one kind never passes as the other.
 */
import { type Bytes, concatBytes, fromBase64, toBase64, toHex, utf8 } from './bytes.ts';
import { sha256 } from './sha256.ts';

/** A public key and the name it signs under. */
export interface NoteKey {
  name: string;
  /** The 32 bytes of RFC 8032. */
  publicKey: Uint8Array;
}

const ED25519 = 0x01;
const COSIGNATURE = 0x04;
type KeyType = typeof ED25519 | typeof COSIGNATURE;

const PUBLIC_KEY_BYTES = 32;
export const KEY_ID_BYTES = 4;
export const KEY_NAME = /^[!-*,-~]{1,255}$/;

function idBytes(key: NoteKey, type: KeyType): Bytes {
  if (!KEY_NAME.test(key.name))
    throw new TypeError('a key name has at least one character, no space and no plus');
  if (key.publicKey.length !== PUBLIC_KEY_BYTES) throw new TypeError('an Ed25519 public key has 32 bytes');
  const hashed = sha256(concatBytes(utf8(`${key.name}\n`), Uint8Array.of(type), key.publicKey));
  return hashed.slice(0, KEY_ID_BYTES);
}

function format(key: NoteKey, type: KeyType): string {
  const material = concatBytes(Uint8Array.of(type), key.publicKey);
  return `${key.name}+${toHex(idBytes(key, type))}+${toBase64(material)}`;
}

function parse(line: string, type: KeyType, kind: string): NoteKey {
  const parts = /^([!-*,-~]{1,255})\+([0-9a-f]{8})\+(\S+)$/.exec(line);
  if (parts === null) throw new TypeError('a verifier key reads name+id+base64');
  const material = fromBase64(parts[3]!);
  if (material[0] !== type) throw new TypeError(`this is not the verifier key of a ${kind}`);
  const key: NoteKey = { name: parts[1]!, publicKey: material.slice(1) };
  if (toHex(idBytes(key, type)) !== parts[2])
    throw new TypeError('the id of the verifier key does not belong to it');
  return key;
}

export const noteKeyIdBytes = (key: NoteKey): Bytes => idBytes(key, ED25519);
export const witnessKeyIdBytes = (key: NoteKey): Bytes => idBytes(key, COSIGNATURE);

/** The 8 hex digits in a signature line: they only identify a key; trust depends on the key itself. */
export const noteKeyId = (key: NoteKey): string => toHex(noteKeyIdBytes(key));
export const witnessKeyId = (key: NoteKey): string => toHex(witnessKeyIdBytes(key));

/** The verifier key of a service or of any other log. */
export const formatVerifierKey = (key: NoteKey): string => format(key, ED25519);
/** Throws a TypeError for anything but the verifier key of a service. */
export const parseVerifierKey = (line: string): NoteKey => parse(line, ED25519, 'log or service');

/** The verifier key of a witness. */
export const formatWitnessKey = (key: NoteKey): string => format(key, COSIGNATURE);
/** Throws a TypeError for anything but the verifier key of a witness. */
export const parseWitnessKey = (line: string): NoteKey => parse(line, COSIGNATURE, 'witness');
