import { parseCheckpoint, type SignedCheckpoint } from '@countersign/proof-kit';
import type { Keyring } from './keys/ring.ts';

/** As much of the keys as checking signatures takes. */
export interface VerifyingRing extends Pick<Keyring, 'verifier'> {
  /** Null for a key that may sign for every service. */
  keys: readonly { name: string | null }[];
}

type SignedBy =
  /** By a key of the history, and by none of them wrongly. */
  | 'service'
  /** By no key in the history. */
  | 'unknown'
  | 'forged';

/** Who signed a checkpoint, by the history of this service's keys. */
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
