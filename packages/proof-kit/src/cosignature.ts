/**
 * C2SP cosignatures (c2sp.org/tlog-cosignature), version `cosignature/v1` with Ed25519: a witness states that at a given time
 * this was the largest tree of its origin that it had seen and found consistent with all earlier ones.
 */
import { type Bytes, concatBytes, utf8 } from './bytes.ts';
import { verifyEd25519 } from './ed25519.ts';
import { type Sign, type SignatureStatus, type SignedNote, signatureLine } from './note.ts';
import { type NoteKey, witnessKeyId, witnessKeyIdBytes } from './vkey.ts';

const HEADER = 'cosignature/v1';
const TIME_BYTES = 8;
const SIGNATURE_BYTES = 64;

export interface Cosignature {
  status: SignatureStatus;
  /** When the witness signed, in seconds since 1970; null unless the cosignature is valid. */
  time: number | null;
}

/** What a witness signs: a header, the time, and the whole text of the note. */
function message(text: string, time: number): Bytes {
  return utf8(`${HEADER}\ntime ${time}\n${text}`);
}

/** The signature line of a witness for a note's text. */
export async function cosign(text: string, time: number, key: NoteKey, sign: Sign): Promise<string> {
  if (!Number.isSafeInteger(time) || time <= 0)
    throw new TypeError('the time is in whole seconds since 1970');
  const timeBytes = new Uint8Array(TIME_BYTES);
  new DataView(timeBytes.buffer).setBigUint64(0, BigInt(time));
  const signature = await sign(message(text, time));
  return signatureLine(key.name, witnessKeyIdBytes(key), concatBytes(timeBytes, signature));
}

function readTime(signature: Uint8Array): number | null {
  if (signature.length !== TIME_BYTES + SIGNATURE_BYTES) return null;
  const time = new DataView(signature.buffer, signature.byteOffset).getBigUint64(0);
  return time > 0n && time <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(time) : null;
}

/** Checks the first cosignature of a known witness; later ones and those of others are ignored. */
export async function verifyCosignature(note: SignedNote, key: NoteKey): Promise<Cosignature> {
  const keyId = witnessKeyId(key);
  const own = note.signatures.find((line) => line.name === key.name && line.keyId === keyId);
  if (own === undefined) return { status: 'unsigned', time: null };
  const time = readTime(own.signature);
  if (time === null) return { status: 'invalid', time: null };
  const signature = own.signature.slice(TIME_BYTES);
  const status = await verifyEd25519(key.publicKey, signature, message(note.text, time));
  return { status, time: status === 'valid' ? time : null };
}
