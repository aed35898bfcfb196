import { sha256Bytes } from '../../lib/crypto.ts';
import {
  consistencyPlan,
  Frontier,
  formatVerifierKey,
  fromHex,
  keyNameFor,
  leafHash,
  type NoteKey,
  parseCheckpoint,
  parseVerifierKey,
  planNodes,
  readKeyHistory,
  readNodesFromTiles,
  resolvePlan,
  type SignedCheckpoint,
  splitEntries,
  splitTile,
  TILE_WIDTH,
  type TileId,
  tilePath,
  tileWidth,
  verifyConsistency,
  verifyNote,
} from '../../proof-kit/index.ts';
import { reach } from '../reach.ts';
import type { Options } from './options.ts';
import { Forked, type MonitorState, readOther } from './state.ts';

const TIMEOUT_MS = 20_000;
const SIZES_AT_ONCE = 200;
/** Chains that did not grow and are asked for in one look, unless they were named: the others come in the next ones. */
const CHAINS_ASKED = 200;
const QUESTIONS_AT_ONCE = 8;

/** The service answers with a status that says it has no such thing. */
class Missing extends Error {}

async function get(url: string): Promise<Response> {
  const response = await reach(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' });
  if (response.status === 404) throw new Missing(`${url} is not there`);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response;
}

const bytesOf = async (url: string) => new Uint8Array(await (await get(url)).arrayBuffer());

/** One look at the service: the state after it, or Forked. What it has seen before counts for ever. */
export async function follow(options: Options, state: MonitorState): Promise<MonitorState> {
  // Before the service is asked: what was shown there must be part of what it shows from now on.
  const others = await Promise.all(options.others.map(headOf));
  const { trusted, earlier } = await knownKeys(options, state);
  const text = await (await get(`${options.url}/log/checkpoint`)).text();
  const head = parseCheckpoint(text);
  const next = { ...state, keys: trusted.map(formatVerifierKey), chains: { ...state.chains } };
  await requireSigned(head, text, trusted, 'the head of the log');
  const before = state.head === null ? null : parseCheckpoint(state.head);
  const tile = tileReader(options.url, head.size);
  if (before) await requireExtends(before, head, [state.head!, text], tile);
  for (const other of others) await requireSameLog(other, head, text, trusted, tile);
  const grown = await followEntries(
    options,
    next,
    before?.size ?? 0,
    head,
    text,
    [...trusted, ...earlier],
    tile,
  );
  await askForOthers(options, next, grown);
  return { ...next, head: text };
}

interface OtherHead {
  path: string;
  note: string;
}

async function headOf(path: string): Promise<OtherHead> {
  const other = await readOther(path);
  if (!other?.head) throw new Error(`${path} holds no head to compare with`);
  return { path, note: other.head };
}

/** Two monitors that were shown different logs find it out here: each holds a head that the service signed. */
async function requireSameLog(
  { path, note }: OtherHead,
  head: SignedCheckpoint,
  text: string,
  keys: NoteKey[],
  tile: ReadTile,
): Promise<void> {
  const other = parseCheckpoint(note);
  await requireSigned(other, note, keys, `the head in ${path}`).catch(() => {
    // Anybody can write a file: it says nothing about the service.
    throw new Error(`the head in ${path} is not signed by a key that is trusted here`);
  });
  await requireExtends(other, head, [note, text], tile);
}

/**
 * Chains that were signed and did not grow must still be there: those named, or some of all of them in each look. What is
 * gone together with everything that was said of it would not be missed otherwise.
 */
async function askForOthers(
  { url, chains }: Options,
  state: MonitorState,
  grown: ReadonlySet<string>,
): Promise<void> {
  const resting = Object.keys(state.chains)
    .filter((origin) => !grown.has(origin))
    .sort();
  const due = chains ? resting.filter((origin) => chains.has(origin)) : turnOf(resting, state.asked ?? '');
  for (let at = 0; at < due.length; at += QUESTIONS_AT_ONCE)
    await Promise.all(
      due.slice(at, at + QUESTIONS_AT_ONCE).map((origin) => {
        const note = state.chains[origin]!;
        return askForProofs(url, origin, [parseCheckpoint(note)], [note]);
      }),
    );
  if (!chains && due.length > 0) state.asked = due.at(-1)!;
}

/** Some names after the last one, beginning anew at the end. */
function turnOf(names: string[], last: string): string[] {
  const after = names.filter((name) => name > last);
  return [...after, ...names.slice(0, names.length - after.length)].slice(0, CHAINS_ASKED);
}

interface KnownKeys {
  /** May sign heads: keys that were trusted once, and those that they have signed in. */
  trusted: NoteKey[];
  /** Were retired by those. They signed entries of their time; a head they no longer sign, whoever has them now. */
  earlier: NoteKey[];
}

async function knownKeys({ url, keys }: Options, state: MonitorState): Promise<KnownKeys> {
  const named = [...keys, ...state.keys.map(parseVerifierKey)];
  const published = (await (await get(`${url}/.well-known/countersign-keys.json`)).json()) as {
    history?: string[];
  };
  const history = await readKeyHistory(published.history ?? []).catch(() => []);
  const known = new Set(named.map(formatVerifierKey));
  // Without any key to begin with, the first look trusts what is published.
  if (known.size === 0) for (const { vkey, vouched } of history) if (vouched) known.add(vkey);
  const ids = new Map(history.map(({ keyId, vkey }) => [keyId, vkey]));
  const isIn = (set: ReadonlySet<string>, keyId: string | null) =>
    keyId !== null && set.has(ids.get(keyId) ?? '');
  for (const { vkey, signedBy } of history) if (isIn(known, signedBy)) known.add(vkey);
  const all = new Set(known);
  for (const { vkey, retiredBy } of history.toReversed()) if (isIn(all, retiredBy)) all.add(vkey);
  return {
    trusted: [...known].map(parseVerifierKey),
    earlier: [...all].filter((vkey) => !known.has(vkey)).map(parseVerifierKey),
  };
}

async function requireSigned(
  checkpoint: SignedCheckpoint,
  text: string,
  keys: NoteKey[],
  what: string,
): Promise<void> {
  const own = keys.filter(({ name }) => name === keyNameFor(checkpoint.origin));
  const statuses = await Promise.all(own.map((key) => verifyNote(checkpoint.note, key)));
  if (statuses.includes('invalid') || !statuses.includes('valid'))
    throw new Forked(`${what} is not signed by a key that was known before`, [text]);
}

type ReadTile = (tile: TileId) => Promise<Uint8Array>;

/** A partial tile may be gone once the full one is there. */
function tileReader(url: string, size: number): ReadTile {
  return async (tile) => {
    const bytes = await bytesOf(`${url}/log/${tilePath(tile)}`).catch(async (error: unknown) => {
      if (!(error instanceof Missing)) throw error;
      throw new Forked(`${tilePath(tile)} is missing, which a log of ${size} entries has`, []);
    });
    if (tile.level !== 'entries' && bytes.length !== tile.width * 32)
      throw new Forked(`${tilePath(tile)} is not as wide as its name says`, []);
    return bytes;
  };
}

async function requireExtends(
  first: SignedCheckpoint,
  second: SignedCheckpoint,
  notes: string[],
  tile: ReadTile,
): Promise<void> {
  if (first.origin !== second.origin)
    throw new Forked(`the log was called ${first.origin} and is called ${second.origin} now`, notes);
  if (second.size < first.size)
    throw new Forked(`the log had ${first.size} entries and has ${second.size} now`, notes);
  const plan = consistencyPlan(first.size, second.size);
  const lookup = await readNodesFromTiles(planNodes(plan), second.size, tile, sha256Bytes);
  const proof = resolvePlan(plan, lookup, sha256Bytes);
  if (!verifyConsistency({ first, second, proof }, sha256Bytes))
    throw new Forked(
      `the log of ${second.size} entries does not hold the one of ${first.size} that was signed`,
      notes,
    );
}

/** Reads the entries that are new, makes sure that they are those under the head, and follows their chains. */
async function followEntries(
  options: Options,
  state: MonitorState,
  from: number,
  head: SignedCheckpoint,
  text: string,
  keys: NoteKey[],
  tile: ReadTile,
): Promise<ReadonlySet<string>> {
  const grown = new Map<string, string[]>();
  const tree = from === 0 ? new Frontier(sha256Bytes) : null;
  for (let index = Math.floor(from / TILE_WIDTH); index * TILE_WIDTH < head.size; index++) {
    const width = tileWidth('entries', index, head.size);
    const bundle = splitEntries(await tile({ level: 'entries', index, width }));
    const hashes = splitTile(await tile({ level: 0, index, width }));
    for (const [i, entry] of bundle.entries()) {
      const place = index * TILE_WIDTH + i;
      if (Buffer.compare(leafHash(entry, sha256Bytes), hashes[i] ?? new Uint8Array()) !== 0)
        throw new Forked(`entry ${place} is another one than the log was signed with`, [text]);
      tree?.append(entry);
      if (place >= from) await takeEntry(options, Buffer.from(entry).toString('utf8'), place, keys, grown);
    }
    if (bundle.length !== width)
      throw new Forked(`entries of the log are missing from ${index * TILE_WIDTH} on`, [text]);
  }
  if (tree && Buffer.compare(tree.root(), head.root) !== 0)
    throw new Forked('the entries of the log are not those that its head was signed for', [text]);
  for (const [origin, notes] of grown) await followChain(options.url, state, origin, notes);
  return new Set(grown.keys());
}

async function takeEntry(
  { chains }: Options,
  note: string,
  place: number,
  keys: NoteKey[],
  grown: Map<string, string[]>,
): Promise<void> {
  let checkpoint: SignedCheckpoint;
  try {
    checkpoint = parseCheckpoint(note);
  } catch {
    throw new Forked(`entry ${place} of the log is no checkpoint`, [note]);
  }
  const { origin } = checkpoint;
  if (chains && !chains.has(origin)) return;
  await requireSigned(checkpoint, note, keys, `entry ${place} of the log`);
  const known = grown.get(origin);
  if (known) known.push(note);
  else grown.set(origin, [note]);
}

/** The checkpoints of a chain, one after the other: larger each time, each holding the one before. */
async function followChain(url: string, state: MonitorState, origin: string, notes: string[]): Promise<void> {
  const known = state.chains[origin];
  const all = known === undefined ? notes : [known, ...notes];
  const signed = all.map(parseCheckpoint);
  for (const [i, { size, root }] of signed.entries()) {
    const before = signed[i - 1];
    if (!before) continue;
    const pair = [all[i - 1]!, all[i]!];
    if (size < before.size) throw new Forked(`${origin} had ${before.size} records and then ${size}`, pair);
    if (size === before.size && Buffer.compare(root, before.root) !== 0)
      throw new Forked(`${origin} was signed with two different histories of ${size} records`, pair);
  }
  const steps = signed.filter(({ size }, i) => i === 0 || size > signed[i - 1]!.size);
  for (let at = 0; at + 1 < steps.length; at += SIZES_AT_ONCE)
    await requireGrowth(url, origin, steps.slice(at, at + SIZES_AT_ONCE + 1), all);
  state.chains[origin] = all.at(-1)!;
}

async function requireGrowth(
  url: string,
  origin: string,
  steps: SignedCheckpoint[],
  notes: string[],
): Promise<void> {
  const proofs = await askForProofs(url, origin, steps, notes);
  for (const [i, second] of steps.entries()) {
    const first = steps[i - 1];
    if (!first) continue;
    const proof = proofs[i - 1]?.hashes.map(fromHex) ?? [];
    if (!verifyConsistency({ first, second, proof }, sha256Bytes))
      throw new Forked(
        `${origin}: the ${second.size} records do not hold the ${first.size} that were signed before`,
        notes,
      );
  }
}

/** What the service has to show for signed sizes of a chain; it must have something. */
async function askForProofs(
  url: string,
  origin: string,
  steps: SignedCheckpoint[],
  notes: string[],
): Promise<{ hashes: string[] }[]> {
  const path = origin.slice(origin.indexOf('/'));
  const sizes = steps.map(({ size }) => size).join();
  const answer = await get(`${url}/log${path}/consistency?sizes=${sizes}`).catch((error: unknown) => {
    if (!(error instanceof Missing)) throw error;
    const [from, ...more] = steps;
    const what =
      more.length > 0 ? `only grew from ${from!.size} records on` : `has its ${from!.size} records`;
    throw new Forked(`the service cannot show that ${origin} ${what}`, notes);
  });
  const { proofs } = (await answer.json()) as { proofs?: { hashes: string[] }[] };
  return proofs ?? [];
}
