import {
  type Frontier,
  formatVerifierKey,
  type NoteKey,
  parseCheckpoint,
  parseOrigin,
  type SignedCheckpoint,
} from '@countersign/proof-kit';
import { type ChainStep, followChains, requireUnchanged, stepOf, stepsOf } from '../log/chain-growth.ts';
import { readClosings, requireClosesHead, requireClosing } from '../log/closings.ts';
import { Forked } from '../log/forked.ts';
import { getText } from '../log/get.ts';
import { holdsHead, type LogEntry, type ReadTile, readEntries, tileReader } from '../log/read-entries.ts';
import { followClosedLogs } from './closed-logs.ts';
import { requireFresh, requireQuorum } from './head-policy.ts';
import { type KnownKeys, readKnownKeys, requireNotRetired, requireSigned } from './known-keys.ts';
import type { Options } from './options.ts';
import { type MonitorState, readFrontier, readOtherState, writeFrontier } from './state.ts';

/** How many chains that did not grow are checked per round, unless they were named; the others follow in later rounds. */
const CHAINS_ASKED = 200;

/** One check of the service: the new state, or Forked, or an Alarm. Everything seen before still counts. */
export async function follow(options: Options, known: MonitorState): Promise<MonitorState> {
  // Before contacting the service: heads shown to other monitors must be part of what it shows from now on.
  const others = await Promise.all(options.others.map(headOf));
  const keys = await readKnownKeys(options, known);
  const text = await getText(`${options.url}/log/checkpoint`);
  const head = parseHead(text);
  const signers = await requireSigned(head, keys.trusted, 'the head of the log', text);
  const state = await followClosedLogs(options.url, known, head, [...keys.trusted, ...keys.earlier]);
  const before = state.head === null ? null : parseCheckpoint(state.head);
  const isNew = before?.note.text !== head.note.text;
  if (isNew) await requireNotRetired(head, text, signers, options.witnesses);
  if (before) requireNoSmaller(before, head, [state.head!, text]);
  const readTile = tileReader(options.url, head.size);
  const { tree, newest, grown } = await readLog(options, state, keys, {
    head,
    before,
    readTile,
  }).catch((error: unknown) => {
    throw error instanceof Forked ? new Forked(error.message, [...error.notes, text]) : error;
  });
  for (const other of others) await requireSameLog(options.url, other, head, text, keys.trusted, readTile);
  const asked = await askForOthers(options, state, newest, grown);
  const headSeenAt = (isNew ? undefined : state.headSeenAt) ?? new Date().toISOString();
  await requireQuorum(options, head, text);
  await requireFresh(options, head, text, headSeenAt);
  return {
    url: state.url,
    keys: keys.trusted.map(formatVerifierKey),
    history: keys.history,
    head: text,
    headSeenAt,
    frontier: writeFrontier(tree)!,
    chains: Object.fromEntries([...newest].map(([origin, { note }]) => [origin, note])),
    ...(state.floors && { floors: state.floors }),
    ...(state.accepted && { accepted: state.accepted }),
    ...(state.closed && { closed: state.closed }),
    ...(asked !== undefined && { asked }),
    evidence: state.evidence,
  };
}

function parseHead(text: string): SignedCheckpoint {
  try {
    return parseCheckpoint(text);
  } catch (error) {
    throw new Forked(`the head of the log is not a signed checkpoint: ${(error as Error).message}`, [text]);
  }
}

function requireNoSmaller(first: SignedCheckpoint, second: SignedCheckpoint, notes: string[]): void {
  if (first.origin !== second.origin)
    throw new Forked(`the log was called ${first.origin} and is called ${second.origin} now`, notes);
  if (second.size < first.size)
    throw new Forked(`the log had ${first.size} entries and has ${second.size} now`, notes);
}

interface LogRead {
  tree: Frontier;
  newest: Map<string, ChainStep>;
  /** The chains that the new entries name. */
  grown: ReadonlySet<string>;
}

/** Reads the new entries and follows the chains in them. */
async function readLog(
  options: Options,
  state: MonitorState,
  { trusted, earlier }: KnownKeys,
  { head, before, readTile }: { head: SignedCheckpoint; before: SignedCheckpoint | null; readTile: ReadTile },
): Promise<LogRead> {
  const frontier = readFrontier(state, options.state);
  const grown = new Set<string>();
  const floors = new Map(Object.entries(state.floors ?? {}));
  let newest = stepsOf(state.chains);
  const take = async (entries: LogEntry[]) => {
    const followed = entries.filter(
      ({ place, checkpoint: { origin } }) =>
        place >= (before?.size ?? 0) && (!options.chains || options.chains.has(origin)),
    );
    for (const { checkpoint, note, place } of followed) {
      await requireSigned(checkpoint, [...trusted, ...earlier], `entry ${place} of the log`, note);
      grown.add(checkpoint.origin);
    }
    const steps = followed.map(({ checkpoint, note }) => stepOf(checkpoint, note));
    newest = await followChains(options.url, newest, steps, floors);
  };
  const tree = await readEntries(readTile, frontier, head, before ? [before] : [], take);
  return { tree, newest, grown };
}

interface OtherHead {
  path: string;
  note: string;
}

async function headOf(path: string): Promise<OtherHead> {
  const other = await readOtherState(path);
  if (!other?.head) throw new Error(`${path} holds no head to compare with`);
  return { path, note: other.head };
}

/** Detects that two monitors were shown different logs: each holds a head signed by the service. */
async function requireSameLog(
  url: string,
  { path, note }: OtherHead,
  head: SignedCheckpoint,
  text: string,
  keys: readonly NoteKey[],
  readTile: ReadTile,
): Promise<void> {
  const other = parseCheckpoint(note);
  await requireSigned(other, keys, `the head in ${path}`).catch(() => {
    // Anyone can write a file, so it says nothing about the service.
    throw new Error(`the head in ${path} is not signed by a key that is trusted here`);
  });
  const [before, now] = [parseOrigin(other.origin), parseOrigin(head.origin)];
  if (
    before?.chain === null &&
    now?.chain === null &&
    before.service === now.service &&
    before.log < now.log
  ) {
    const closing = await requireClosing(await readClosings(url), before, keys, [note, text]);
    return requireClosesHead(url, closing, other, note);
  }
  requireNoSmaller(other, head, [note, text]);
  if (!(await holdsHead(readTile, other, head)))
    throw new Forked(
      `the log of ${head.size} entries does not hold the one of ${other.size} that was signed`,
      [note, text],
    );
}

/**
 * Signed chains that did not grow must still exist: the named ones, or some of all in each round. Otherwise a chain that
 * disappears with its checkpoints would not be noticed. Returns the last chain checked.
 */
async function askForOthers(
  { url, chains }: Options,
  state: MonitorState,
  newest: ReadonlyMap<string, ChainStep>,
  grown: ReadonlySet<string>,
): Promise<string | undefined> {
  const resting = [...newest.keys()].filter((origin) => !grown.has(origin)).sort();
  const due = chains ? resting.filter((origin) => chains.has(origin)) : turnOf(resting, state.asked ?? '');
  await requireUnchanged(
    url,
    due.map((origin) => newest.get(origin)!),
  );
  return chains || due.length === 0 ? state.asked : due.at(-1);
}

/** The next names after the last one, wrapping around at the end. */
function turnOf(names: string[], last: string): string[] {
  const after = names.filter((name) => name > last);
  return [...after, ...names.slice(0, names.length - after.length)].slice(0, CHAINS_ASKED);
}
