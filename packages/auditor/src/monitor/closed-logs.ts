/**
 * Logs that the service closed after a loss: a monitor reports them and follows the log that the service names as successor.
 */
import { type LogClosing, parseCheckpoint, parseOrigin, type SignedCheckpoint } from '@countersign/proof-kit';
import { publishedClosings } from '../log/closings.ts';
import { Forked } from '../log/forked.ts';
import { holdsHead, tileReader } from '../log/read-entries.ts';
import { type HeadKey, requireSigned } from './known-keys.ts';
import type { ClosedLogSeen, MonitorState } from './state.ts';

/**
 * The state for following the current log if it is not the previous one. Every log in between must have been closed by a
 * signed statement, and its last head must contain what this monitor saw. Throws Forked otherwise.
 */
export async function followClosedLogs(
  url: string,
  state: MonitorState,
  head: SignedCheckpoint,
  { logs, trusted }: { logs: unknown; trusted: readonly HeadKey[] },
): Promise<MonitorState> {
  let current = state;
  let before = state.head === null ? null : parseCheckpoint(state.head);
  while (before && before.origin !== head.origin) {
    const { origin } = before;
    const statement = publishedClosings(logs).find(({ closing }) => closing.closed.origin === origin);
    if (!statement)
      throw new Forked(`the log was called ${before.origin} and is called ${head.origin} now`, [state.head!]);
    const { closing, note } = statement;
    await requireSigned({ note, origin }, trusted, `the statement that closed ${origin}`);
    await requireShownPart(url, before, closing, trusted);
    const seen: ClosedLogSeen = {
      origin: before.origin,
      entries: closing.closed.signedSize,
      kept: closing.closed.presentSize,
      chains: closing.chains.length,
      reason: closing.reason,
      at: closing.at,
      statement: statement.text,
    };
    const lost = new Set(closing.chains.map(({ chain }) => chain));
    const chains = Object.fromEntries(Object.entries(current.chains).filter(([origin]) => !lost.has(origin)));
    const { frontier: _, headSeenAt: __, ...kept } = current;
    current = { ...kept, head: null, chains, closed: [...(current.closed ?? []), seen] };
    if (closing.successor === head.origin) return current;
    before = { ...before, origin: closing.successor, size: 0 };
  }
  return current;
}

/** The last head of the closed log must contain what was seen here before. */
async function requireShownPart(
  url: string,
  before: SignedCheckpoint,
  { closed }: LogClosing,
  trusted: readonly HeadKey[],
): Promise<void> {
  if (before.size === 0) return;
  const notes = [before.note.text, ...(closed.head === null ? [] : [closed.head])];
  if (closed.signedSize < before.size)
    throw new Forked(
      `${closed.origin} was closed at ${closed.signedSize} entries, after ${before.size} had been signed`,
      notes,
    );
  if (closed.head === null) return;
  const last = parseCheckpoint(closed.head);
  if (last.origin !== closed.origin)
    throw new Forked(`the last head of ${closed.origin} is that of ${last.origin}`, notes);
  await requireSigned(last, trusted, `the last head of ${closed.origin}`);
  // A witness may know a newer head than any file: then the heads in between cannot be shown.
  if (last.size < before.size) return;
  const parts = parseOrigin(closed.origin);
  const number = parts?.chain === null ? parts.log : 1;
  const readTile = tileReader(url, last.size, `log/${number}`);
  const isHeld = await holdsHead(readTile, before, last).catch((error: unknown) => {
    // Entries missing from every file are lost; the statement declares this loss.
    if (error instanceof Forked) return true;
    throw error;
  });
  if (!isHeld)
    throw new Forked(
      `the last head of ${closed.origin} does not hold the ${before.size} entries that were signed before`,
      notes,
    );
}
