// What this service signed before about a chain or a log, according to the table and to the file outside the database. Signing,
// verification and recovery all compare with these commitments.
import { keyNameFor, parseOrigin, type SignedCheckpoint } from '@countersign/proof-kit';
import { HistoryChanged } from './faults.ts';
import { type CheckpointFile, isFiled } from './file.ts';
import { signedBy, tryParse, type VerifyingRing } from './signatures.ts';

/** A signed size and root that must still hold. */
export interface Commitment {
  source: 'table' | 'file';
  size: number;
  root: Uint8Array;
  note: string;
}

/** The newest signed note about a chain or a log in the table; nulls if there is none. */
export interface NewestSigned {
  origin: string;
  signedSize: number | null;
  signedRoot: string | null;
  note: string | null;
}

/** A chain with its newest checkpoint in the table. */
export interface SignedChain extends NewestSigned {
  centerId: number | null;
  domain: string;
}

/** The newest commitments in the table and in the file. Throws HistoryChanged if one is not genuine. */
export async function signedBefore(
  newest: NewestSigned,
  ring: VerifyingRing,
  file: CheckpointFile,
): Promise<Commitment[]> {
  const { origin, note, signedSize } = newest;
  const commitments: Commitment[] = [];
  if (note !== null) commitments.push(storedCommitment({ ...newest, note }, ring));
  const filed = file.find(origin);
  if (!filed) return commitments;
  for (const keyId of filed.keyIds) {
    if (!ring.verifier(origin, keyId)) throw unknownKey(origin, 'file');
  }
  if (isFiled(filed, signedSize, note)) return commitments;
  const line = await file.read(filed);
  if (line?.checkpoint.size !== filed.size)
    throw new HistoryChanged('forged_checkpoint', 0, 'the file was changed while it was being read');
  return [...commitments, genuine(line.checkpoint, line.text, origin, 'file', ring)];
}

/** The same for a chain. If it were renamed, it could be signed as if nothing had been signed about it before. */
export async function signedAboutChain(
  chain: SignedChain,
  ring: VerifyingRing,
  file: CheckpointFile,
): Promise<Commitment[]> {
  const { centerId, domain, origin } = chain;
  const named = parseOrigin(origin)?.chain;
  const own = named && named.center === (centerId ?? 0) && named.domain === domain;
  if (!own || !ring.keys.some(({ name }) => name === null || name === keyNameFor(origin)))
    throw new HistoryChanged('other_origin', 0, `the chain goes by the name ${origin}, which is not its own`);
  return signedBefore(chain, ring, file);
}

/** The commitment of a note in the table. Throws HistoryChanged if it is not genuine. */
export function storedCommitment(
  { origin, signedSize, signedRoot, note }: NewestSigned & { note: string },
  ring: VerifyingRing,
): Commitment {
  const checkpoint = tryParse(note);
  const fits =
    checkpoint !== null &&
    checkpoint.size === signedSize &&
    Buffer.from(checkpoint.root).toString('hex') === signedRoot;
  if (!fits) throw forged('table', signedSize ?? 0);
  return genuine(checkpoint, note, origin, 'table', ring);
}

/** The fault of a chain that is shorter than a commitment. */
export function cutTail({ size, source }: Commitment, length: number): HistoryChanged {
  const message = `a checkpoint in the ${source} covers ${size} records, the chain has ${length}`;
  return new HistoryChanged('cut_tail', length, message, { size, source });
}

function genuine(
  checkpoint: SignedCheckpoint,
  note: string,
  origin: string,
  source: Commitment['source'],
  ring: VerifyingRing,
): Commitment {
  const by = checkpoint.origin === origin ? signedBy(checkpoint, ring) : 'forged';
  if (by === 'unknown') throw unknownKey(origin, source);
  if (by === 'forged') throw forged(source, checkpoint.size);
  return { source, size: checkpoint.size, root: checkpoint.root, note };
}

function forged(source: Commitment['source'], size: number): HistoryChanged {
  const message = `the checkpoint of size ${size} in the ${source} is not what was signed`;
  return new HistoryChanged('forged_checkpoint', Math.max(0, size - 1), message);
}

function unknownKey(origin: string, source: Commitment['source']): HistoryChanged {
  const message = `a checkpoint of ${origin} in the ${source} is signed by a key that the key history does not know`;
  return new HistoryChanged('unknown_key', 0, message);
}
