import { keyNameFor, parseOrigin, type SignedCheckpoint } from '@countersign/proof-kit';
import { type FindingKind, HistoryChanged } from './faults.ts';
import { type CheckpointFile, fingerprintOf } from './file.ts';
import { signedBy, tryParse, type VerifyingRing } from './signatures.ts';

/** A statement about a chain that this service signed and that must still hold. */
export interface Commitment {
  source: 'table' | 'file';
  size: number;
  root: Uint8Array;
}

/** A chain with its newest checkpoint in the table. */
export interface SignedChain {
  centerId: number | null;
  domain: string;
  origin: string;
  signedSize: number | null;
  signedRoot: string | null;
  note: string | null;
}

/** The newest commitments to a chain in the table and in the file. Throws if one is not genuine. */
export async function signedBefore(
  chain: SignedChain,
  ring: VerifyingRing,
  file: CheckpointFile,
): Promise<Commitment[]> {
  requireOwnName(chain, ring);
  const { origin, note, signedSize } = chain;
  const commitments: Commitment[] = [];
  if (note !== null) commitments.push(storedCommitment({ ...chain, note }, ring));
  const filed = file.find(origin);
  if (!filed) return commitments;
  for (const keyId of filed.keyIds) {
    if (!ring.verifier(origin, keyId)) throw unknownKey(origin, 'file');
  }
  const same = note !== null && filed.size === signedSize && filed.fingerprint === fingerprintOf(note);
  if (!same) {
    const line = await file.read(filed);
    if (!line || line.checkpoint.size !== filed.size)
      throw new HistoryChanged('forged_checkpoint', 0, 'the file was changed while it was being read');
    commitments.push(genuine(line.checkpoint, origin, 'file', ring));
  }
  return commitments;
}

/** If a chain were renamed, it could be signed as if nothing had been signed about it before. */
function requireOwnName({ centerId, domain, origin }: SignedChain, ring: VerifyingRing): void {
  const chain = parseOrigin(origin)?.chain;
  const own = chain && chain.center === (centerId ?? 0) && chain.domain === domain;
  if (!own || !ring.keys.some(({ name }) => name === null || name === keyNameFor(origin)))
    throw new HistoryChanged('other_origin', 0, `the chain goes by the name ${origin}, which is not its own`);
}

/** The commitment of a checkpoint in the table. Throws if it is not genuine. */
export function storedCommitment(
  { origin, signedSize, signedRoot, note }: SignedChain & { note: string },
  ring: VerifyingRing,
): Commitment {
  const checkpoint = tryParse(note);
  const fits =
    checkpoint !== null &&
    checkpoint.origin === origin &&
    checkpoint.size === signedSize &&
    Buffer.from(checkpoint.root).toString('hex') === signedRoot;
  if (!fits) throw forged('table', signedSize ?? 0);
  return genuine(checkpoint, origin, 'table', ring);
}

function genuine(
  checkpoint: SignedCheckpoint,
  origin: string,
  source: Commitment['source'],
  ring: VerifyingRing,
): Commitment {
  const by = checkpoint.origin === origin ? signedBy(checkpoint, ring) : 'forged';
  if (by === 'unknown') throw unknownKey(origin, source);
  if (by === 'forged') throw forged(source, checkpoint.size);
  return { source, size: checkpoint.size, root: checkpoint.root };
}

const finding = (kind: FindingKind, index: number, message: string) =>
  new HistoryChanged(kind, index, message);

function forged(source: Commitment['source'], size: number): HistoryChanged {
  const message = `the checkpoint of size ${size} in the ${source} is not what was signed`;
  return finding('forged_checkpoint', Math.max(0, size - 1), message);
}

function unknownKey(origin: string, source: Commitment['source']): HistoryChanged {
  const message = `a checkpoint of ${origin} in the ${source} is signed by a key that the key history does not know`;
  return finding('unknown_key', 0, message);
}
