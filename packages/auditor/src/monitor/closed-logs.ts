/**
 * Logs that the service closed after a loss. A monitor follows to the next log only after its operator has accepted the statement
 * that closed the log, and keeps what it knows of every chain.
 */
import {
  closedOrigin,
  type NoteKey,
  parseCheckpoint,
  parseOrigin,
  type ReadClosing,
  type SignedCheckpoint,
} from '@countersign/proof-kit';
import { printable } from '@countersign/proof-kit/printable';
import { stepsOf } from '../log/chain-growth.ts';
import { continueChains, readClosings, requireClosesHead, requireClosing } from '../log/closings.ts';
import { Alarm, Forked, ServiceFault } from '../log/forked.ts';
import type { ClosedLogSeen, MonitorState } from './state.ts';

/** The service closed its log, and the operator of this monitor has not accepted that yet. */
export class Closed extends ServiceFault {
  override name = 'Closed';
}

/** A closed log as one line. */
export function closedLine({ origin, entries, chains, reason, at, digest }: ClosedLogSeen): string {
  const lost = `${entries} entries were signed, ${chains} chains lost records`;
  const end = digest === undefined ? '' : `, digest ${digest}`;
  return `${origin} on ${at}: ${lost}: ${printable(reason)}${end}`;
}

/**
 * The state for following the current log if it is not the previous one. Every log in between must be closed by an accepted
 * statement, and the last head seen here must be the one that it names, or in it. Throws Closed or Forked otherwise.
 */
export async function followClosedLogs(
  url: string,
  state: MonitorState,
  head: SignedCheckpoint,
  keys: readonly NoteKey[],
): Promise<MonitorState> {
  const [now, before] = [parseOrigin(head.origin), state.head === null ? null : parseCheckpoint(state.head)];
  const last = before && parseOrigin(before.origin);
  if (now?.chain !== null) return state;
  if (last && (last.chain !== null || last.service !== now.service || last.log > now.log))
    throw new Forked(`the log was called ${before.origin} and is called ${head.origin} now`, [state.head!]);
  if (now.log === 1) return state;
  const closings = await readClosings(url);
  requireUnchangedClosings(state, closings);
  const { service } = now;
  const followed: ReadClosing[] = [];
  for (let log = last?.log ?? 1; log < now.log; log++) {
    const notes = state.head === null ? [] : [state.head];
    const closing = await requireClosing(closings, { service, log }, keys, notes).catch((error: unknown) => {
      // A monitor that never saw the closed log has no evidence against the service.
      throw error instanceof Forked && !before ? new Alarm(error.message, error.notes) : error;
    });
    if (before && log === last!.log) await requireClosesHead(url, closing, before, state.head!);
    followed.push(closing);
  }
  if (followed.length === 0) return state;
  requireAccepted(state, followed);
  return continued(state, followed);
}

/** Throws Forked if a statement that was accepted here is published with other words. */
function requireUnchangedClosings({ closed = [] }: MonitorState, closings: readonly ReadClosing[]): void {
  for (const { origin, digest, statement } of closed) {
    const other = closings.find((closing) => closedOrigin(closing) === origin && closing.digest !== digest);
    if (digest !== undefined && other)
      throw new Forked(`two statements close ${origin}`, [statement, other.published.note]);
  }
}

function requireAccepted({ accepted = [] }: MonitorState, followed: readonly ReadClosing[]): void {
  const open = followed.filter(({ digest }) => !accepted.includes(digest));
  if (open.length === 0) return;
  throw new Closed(
    open.map((closing) => closedLine(seenOf(closing))).join('; '),
    open.map(({ published }) => published.note),
  );
}

const seenOf = (closing: ReadClosing): ClosedLogSeen => ({
  origin: closedOrigin(closing),
  entries: closing.size,
  chains: closing.chains.length,
  reason: closing.reason,
  at: closing.at,
  digest: closing.digest,
  statement: closing.published.note,
});

function continued(state: MonitorState, followed: readonly ReadClosing[]): MonitorState {
  const { frontier: _, headSeenAt: __, closed = [], ...kept } = state;
  const { chains, floors } = followed.reduce(continueChains, {
    chains: stepsOf(state.chains),
    floors: new Map(Object.entries(state.floors ?? {})),
  });
  return {
    ...kept,
    head: null,
    chains: Object.fromEntries([...chains].map(([origin, { note }]) => [origin, note])),
    floors: Object.fromEntries(floors),
    closed: [...closed, ...followed.map(seenOf)],
  };
}
