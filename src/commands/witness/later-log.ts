// The logs of one service follow each other: `NAME/log`, then `NAME/log/2` where the first was closed after a loss. A witness cosigns
// one of them at a time, the newest that it knows:
//
//   below the newest   refused: that log is closed.
//   the newest         cosigned, until the operator has accepted a statement that closes it.
//   above the newest   cosigned once the operator has accepted every statement in between. Each must be signed by the service, and
//                      the first must name the last head that was cosigned here, or a larger one.
//
// The acceptances decide which log is next, and the cosigned checkpoints which one is the newest. Nothing else is stored, so a crash
// between any two steps changes nothing: the decision is made again from the same files.
import {
  continueChains,
  readClosings,
  requireClosesHead,
  requireClosing,
} from '@countersign/auditor/log/closings';
import { Forked } from '@countersign/auditor/log/forked';
import {
  closedOrigin,
  numberedLogOrigin,
  parseCheckpoint,
  parseOrigin,
  type ReadClosing,
  type SignedCheckpoint,
} from '@countersign/proof-kit';
import { type FollowedLog, followLog, NOTHING_FOLLOWED, parseFollowed } from './follow-log.ts';
import type { KnownLog } from './logs.ts';
import type { WitnessState } from './state.ts';

/** A head that this witness does not cosign, although nothing contradicts what it cosigned. */
export class NotAccepted extends Error {
  /** Not found: this log is unknown here, which stops no service. */
  readonly status: 404 | 422;

  constructor(message: string, status: 404 | 422 = 422) {
    super(message);
    this.status = status;
  }
}

interface LogName {
  service: string;
  log: number;
}

/** Null for a log of another kind than those of Countersign services. */
export function logNameOf(origin: string): LogName | null {
  const parts = parseOrigin(origin);
  return parts?.chain === null ? { service: parts.service, log: parts.log } : null;
}

/**
 * The statements that lead from the newest log of this witness to the one of a head; none if that is the newest. Throws
 * NotAccepted, or Forked if the service did not close its logs as it signed.
 */
export async function requireNextLog(
  state: WitnessState,
  known: KnownLog,
  name: LogName,
  note: string,
): Promise<ReadClosing[]> {
  const { service, log } = name;
  const newest = await state.newestLog(service);
  if (log < newest)
    throw new NotAccepted(`this witness cosigns ${numberedLogOrigin(service, newest)} and no log before it`);
  if (log === Math.max(newest, 1)) {
    await requireOpen(state, known, name);
    return [];
  }
  const accepted = await state.acceptedDigests();
  const closings = known.url === null ? await knownClosings(state, accepted) : await readClosings(known.url);
  if (known.url === null && !closings.some((closing) => closing.service === service && closing.next === log))
    throw new NotAccepted(
      `${numberedLogOrigin(service, log)} follows a closed log, and this witness has no address of the service to read why`,
      404,
    );
  const path: ReadClosing[] = [];
  for (let each = Math.max(newest, 1); each < log; each++) {
    const closing = await requireClosing(closings, { service, log: each }, known.keys, [note]);
    const last = await state.latest(closedOrigin(closing));
    if (last !== null) await requireClosesHead(known.url, closing, parseCheckpoint(last), last);
    await state.keepClosing(closing);
    path.push(closing);
  }
  const open = path.filter(({ digest }) => !accepted.includes(digest)).reverse();
  // The digests come first: the service finds them in the beginning of the answer.
  if (open.length > 0)
    throw new NotAccepted(
      `digest ${open.map(({ digest }) => digest).join(' ')}: not accepted here: ${open.map(closedOrigin).join(', ')} was closed after a loss`,
    );
  return path;
}

async function knownClosings(state: WitnessState, digests: readonly string[]): Promise<ReadClosing[]> {
  const closings = await Promise.all(digests.map((digest) => state.knownClosing(digest)));
  return closings.filter((closing) => closing !== null);
}

/** Throws NotAccepted if the operator has accepted that the service closed this log. */
async function requireOpen(state: WitnessState, { url }: KnownLog, { service, log }: LogName): Promise<void> {
  let published: ReadClosing[] | null = null;
  for (const digest of await state.acceptedDigests()) {
    let closing = await state.knownClosing(digest);
    if (closing === null && url !== null) {
      published ??= await readClosings(url);
      closing = published.find((each) => each.digest === digest) ?? null;
      if (closing) await state.keepClosing(closing);
    }
    if (closing?.service === service && closing.log === log)
      throw new NotAccepted(`${closedOrigin(closing)} was closed, which this witness has accepted`);
  }
}

/** What this witness knows of the chains when the first head of a later log arrives. */
export async function carriedOver(
  state: WitnessState,
  url: string,
  path: readonly ReadClosing[],
): Promise<FollowedLog> {
  const origin = closedOrigin(path[0]!);
  const last = await state.latest(origin);
  const before = parseFollowed(await state.followed(origin));
  const { chains, floors } = last
    ? await upToDate(url, before, parseCheckpoint(last), path[0]!.log)
    : NOTHING_FOLLOWED();
  return { ...NOTHING_FOLLOWED(), ...path.reduce(continueChains, { chains, floors }) };
}

/** After a crash, the reading of a log may lag behind its last cosigned head. */
function upToDate(
  url: string,
  before: FollowedLog,
  last: SignedCheckpoint,
  log: number,
): Promise<FollowedLog> | FollowedLog {
  if (before.tree.size >= last.size) return before;
  return followLog(url, before, last, null, `log/${log}`).catch((error: unknown) => {
    throw error instanceof Forked ? new Forked(error.message, [...error.notes, last.note.text]) : error;
  });
}
