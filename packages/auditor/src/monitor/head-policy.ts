/** The caller's requirements for every head besides its history: a witness quorum and a maximum age. */
import { type SignedCheckpoint, verifyCosignature } from '@countersign/proof-kit';
import { toHex } from '@countersign/proof-kit/bytes';
import { Alarm, Forked } from '../log/forked.ts';
import type { Options } from './options.ts';

/** The times of the trusted cosignatures by key, in seconds; a key under two names counts once. */
async function cosignedAt(
  { witnesses }: Options,
  { note }: SignedCheckpoint,
  text: string,
): Promise<number[]> {
  const times = new Map<string, number>();
  for (const witness of witnesses) {
    const { status, time } = await verifyCosignature(note, witness);
    if (status === 'invalid') throw new Forked(`the cosignature of ${witness.name} is wrong`, [text]);
    if (status === 'valid') times.set(toHex(witness.publicKey), time!);
  }
  return [...times.values()];
}

export async function requireQuorum(options: Options, head: SignedCheckpoint, text: string): Promise<void> {
  const { length } = await cosignedAt(options, head, text);
  if (length < options.quorum)
    throw new Alarm(
      `the head of the log is cosigned by ${length} witnesses of those named; ${options.quorum} are asked for`,
      [text],
    );
}

/** The age is that of the newest trusted cosignature; without witnesses, the time since this head became the newest. */
export async function requireFresh(
  options: Options,
  head: SignedCheckpoint,
  text: string,
  seenAt: string,
): Promise<void> {
  if (options.maxAgeSeconds === null) return;
  const times = await cosignedAt(options, head, text);
  if (options.witnesses.length > 0 && times.length === 0)
    throw new Alarm('the age of the head is unknown: no witness that was named has cosigned it', [text]);
  const newest = times.length > 0 ? Math.max(...times) * 1_000 : Date.parse(seenAt);
  const seconds = Math.floor((Date.now() - newest) / 1_000);
  if (seconds > options.maxAgeSeconds)
    throw new Alarm(
      `the head of the log is ${seconds} seconds old; at most ${options.maxAgeSeconds} are allowed`,
      [text],
    );
}
