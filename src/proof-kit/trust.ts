/** Whom the reader of a proof trusts, and what the signatures under a checkpoint are worth to that reader. */
import { fromBase64 } from './bytes.ts';
import { parseOrigin, type SignedCheckpoint } from './checkpoint.ts';
import { verifyCosignature } from './cosignature.ts';
import { Refutation } from './disclose.ts';
import { verifyNote } from './note.ts';
import type { ProofKey } from './proof-document.ts';
import { type NoteKey, noteKeyId } from './vkey.ts';

/** A key as it is passed around: the 32 bytes in base64. */
export interface TrustedKey {
  publicKey: string;
  /** The service; without it the key may sign for every one. */
  name?: string;
}

/** A key of a service. It counts for the origins of that service alone. */
export interface TrustedServiceKey extends NoteKey {
  /** Vouched for by nobody but itself, as after the loss of the key before it: good for `consistent` at best. */
  isUnvouched?: boolean;
}

export interface Trust {
  /** Left out where nobody was named: then the key that the document brings along is tried, and believed by nobody. */
  keys?: readonly TrustedServiceKey[];
  witnesses?: readonly NoteKey[];
  /** How many of the witnesses must have cosigned the head. Without it, all of those named. */
  quorum?: number;
}

export class Unsupported extends Error {}

const CANNOT_CHECK =
  'this browser cannot check Ed25519 signatures: use a current one, and open the page over https';

export interface Signer {
  /** `name+id` of the key that signed. */
  key: string;
  trusted: 'trusted' | 'unvouched' | 'unnamed';
}

const nameOf = (key: NoteKey): string => `${key.name}+${noteKeyId(key)}`;

/** The key that the document itself names, if it belongs to the service and to its own id. */
function ownKey(publicKey: ProofKey, service: string): NoteKey {
  const key = { name: publicKey.name, publicKey: fromBase64(publicKey.publicKey) };
  if (noteKeyId(key) !== publicKey.keyId) throw new Refutation('publicKey.keyId is not the id of its key');
  if (key.name !== service) throw new Refutation(`publicKey is not a key of ${service}`);
  return key;
}

/**
 * Who signed a checkpoint. Throws a Refutation for a signature that is wrong, and, where keys are trusted, unless one of them signed.
 * The chain's own checkpoint bears the signature of the key that the document names; what was signed later may bear that of a later
 * key only.
 */
export async function signerOf(
  checkpoint: SignedCheckpoint,
  what: string,
  publicKey: ProofKey,
  { keys }: Trust,
  mayBeLater = false,
): Promise<Signer> {
  const service = parseOrigin(checkpoint.origin)!.service;
  const own = ownKey(publicKey, service);
  const status = await verifyNote(checkpoint.note, own);
  if (status === 'unsupported') throw new Unsupported(CANNOT_CHECK);
  if (status === 'unsigned' && !mayBeLater) throw new Refutation(`${what} is not signed by publicKey`);
  if (status === 'invalid') throw new Refutation(`the signature of ${what} is wrong`);
  if (keys === undefined) return { key: nameOf(own), trusted: 'unnamed' };
  let signer: TrustedServiceKey | undefined;
  for (const key of keys) {
    if (key.name !== service) continue;
    const found = await verifyNote(checkpoint.note, key);
    if (found === 'invalid') throw new Refutation(`the signature of ${what} is wrong`);
    if (found === 'valid' && (signer === undefined || signer.isUnvouched)) signer = key;
  }
  if (signer === undefined) throw new Refutation(`${what} is not signed by a trusted key`);
  return { key: nameOf(signer), trusted: signer.isUnvouched ? 'unvouched' : 'trusted' };
}

/** How many of the trusted witnesses cosigned. Throws a Refutation for a cosignature of one of them that does not hold. */
export async function countWitnesses({ note }: SignedCheckpoint, { witnesses = [] }: Trust): Promise<number> {
  const valid = new Set<string>();
  for (const witness of witnesses) {
    const { status } = await verifyCosignature(note, witness);
    if (status === 'unsupported') throw new Unsupported(CANNOT_CHECK);
    if (status === 'invalid') throw new Refutation(`the cosignature of ${witness.name} is wrong`);
    if (status === 'valid') valid.add(`${witness.name} ${witness.publicKey.join()}`);
  }
  return valid.size;
}

export function quorumOf({ witnesses = [], quorum }: Trust): number {
  return quorum ?? witnesses.length;
}
