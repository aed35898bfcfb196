import { sha256Bytes } from '../../lib/crypto.ts';
import {
  consistencyPlan,
  Frontier,
  formatVerifierKey,
  keyNameFor,
  leafHash,
  type NoteKey,
  parseCheckpoint,
  planNodes,
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
import { askForOthers, followChain } from './chains.ts';
import { bytesOf, get, Missing } from './get.ts';
import { knownKeys } from './known-keys.ts';
import type { Options } from './options.ts';
import { Forked, type MonitorState, readOther } from './state.ts';

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
