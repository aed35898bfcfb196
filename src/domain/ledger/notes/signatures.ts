import { parseCheckpoint, type SignedCheckpoint } from '@countersign/proof-kit';

export type Verify = (message: Uint8Array, signature: Uint8Array) => boolean;

export interface VerifyingRing {
  /** Null for a key that may sign for every service. */
  keys: readonly { name: string | null }[];
  /** A verifier for a key of the history that may sign for an origin; undefined for any other key. */
  verifier(origin: string, keyId: string): Verify | undefined;
}

type SignedBy =
  /** Signed by a key in the history, and no signature is wrong. */
  | 'service'
  /** Not signed by any key in the history. */
  | 'unknown'
  | 'forged';

/** Classifies a checkpoint's signatures by this service's key history. */
export function signedBy({ origin, note }: SignedCheckpoint, ring: VerifyingRing): SignedBy {
  const message = Buffer.from(note.text);
  let signedBy: SignedBy = 'unknown';
  for (const { keyId, name, signature } of note.signatures) {
    const verify = origin.startsWith(`${name}/`) ? ring.verifier(origin, keyId) : undefined;
    if (!verify) continue;
    if (!verify(message, signature)) return 'forged';
    signedBy = 'service';
  }
  return signedBy;
}

export function tryParse(note: string): SignedCheckpoint | null {
  try {
    return parseCheckpoint(note);
  } catch {
    return null;
  }
}
