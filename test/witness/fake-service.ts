/** A service that signs whatever a test wants: its log and its chains are lists that can be changed freely. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  consistencyPlan,
  Frontier,
  formatClosing,
  formatVerifierKey,
  growTree,
  joinEntries,
  leafHash,
  numberedLogOrigin,
  type PublishedClosing,
  parseClosing,
  parseTilePath,
  planNodes,
  readNodesFromTiles,
  resolvePlan,
  signCheckpoint,
  signKeyStatement,
  signNote,
  TILE_WIDTH,
  type TileId,
  toBase64,
  treeRoot,
} from '@countersign/proof-kit';
import { onTestFinished } from 'vitest';
import { type Signer, signerFromSeed } from '../vectors/signer.ts';

export const SERVICE = 'proof.example';
const none = () => {
  throw new Error('nothing is stored');
};

/** The tree over some records, and the proof that it contains a smaller one. */
function treeOf(records: string[]) {
  const leaves = records.map((record) => Buffer.from(record));
  const nodes = new Map(
    growTree(0, leaves, none).map(({ level, index, hash }) => [`${level}/${index}`, hash] as const),
  );
  const lookup = (level: number, index: number) => nodes.get(`${level}/${index}`)!;
  return {
    root: treeRoot(records.length, lookup),
    proof: (from: number) => resolvePlan(consistencyPlan(from, records.length), lookup),
  };
}

export async function fakeService() {
  const signer = signerFromSeed(1);
  const entries: string[] = [];
  /** Served content that differs from what was signed: bytes by path below `/log/`. */
  const shown = new Map<string, Uint8Array>();
  /** The records of each chain, for consistency proofs; null to show none. */
  const chains = new Map<string, string[] | null>();
  const history: string[] = [];
  const requests: string[] = [];
  let head = '';
  /** The number of the current log, the entries of closed ones, and the statements that closed them. */
  let log = 1;
  const closedEntries = new Map<number, string[]>();
  const closings: PublishedClosing[] = [];

  const sign = (origin: string, size: number, root: Uint8Array, by: Signer = signer) =>
    signCheckpoint({ origin, size, root }, by.keyNamed(SERVICE), by.sign);

  const vkeyOf = (by: Signer) => formatVerifierKey(by.keyNamed(SERVICE));

  /** Adds a checkpoint of a chain over these records to the log. */
  async function enter(chain: string, records: string[], by: Signer = signer): Promise<string> {
    const origin = `${SERVICE}/chains/${chain}`;
    const note = await sign(origin, records.length, treeOf(records).root, by);
    chains.set(origin, records);
    entries.push(note);
    return note;
  }

  function logRoot(list: readonly string[]): Uint8Array {
    const tree = new Frontier();
    for (const entry of list) tree.append(Buffer.from(entry));
    return tree.root();
  }

  /** Signs and publishes the current log. */
  async function signHead({ cosignatures = '', by = signer as Signer } = {}): Promise<string> {
    head = (await sign(numberedLogOrigin(SERVICE, log), entries.length, logRoot(entries), by)) + cosignatures;
    return head;
  }

  /**
   * Closes the log and begins the next one, or only begins it. Each of `lost` is a chain, its signed and its present size. Returns
   * the digest of the statement.
   */
  async function closeLog({
    lost = [] as [chain: string, signed: number, present: number][],
    size = entries.length,
    root = logRoot(entries),
    reason = 'A disk failed.',
    by = signer,
    isStated = true,
  } = {}): Promise<string> {
    const chains = lost.map(([chain, signed, present]) => ({
      origin: `${SERVICE}/chains/${chain}`,
      signed,
      present,
    }));
    const at = new Date().toISOString();
    const { text, statement } = formatClosing({
      service: SERVICE,
      log,
      size,
      root,
      next: log + 1,
      at,
      reason,
      chains,
    });
    const closing = { note: await signNote(text, by.keyNamed(SERVICE), by.sign), statement };
    if (isStated) closings.push(closing);
    closedEntries.set(log, entries.splice(0));
    log++;
    return parseClosing(closing)!.digest;
  }

  function tile({ level, index, width }: TileId, list = entries): Uint8Array | null {
    if (level === 'entries' || level === 0) {
      const bundle = list.slice(index * TILE_WIDTH, index * TILE_WIDTH + width).map((e) => Buffer.from(e));
      if (bundle.length !== width) return null;
      return level === 0 ? Buffer.concat(bundle.map((entry) => leafHash(entry))) : joinEntries(bundle);
    }
    return null;
  }

  /** The body of an add-checkpoint request from a size to the newest head. */
  async function submission(from: number): Promise<string> {
    const plan = consistencyPlan(from, entries.length);
    const lookup = await readNodesFromTiles(planNodes(plan), entries.length, async (id) => tile(id)!);
    const proof = resolvePlan(plan, lookup).map((hash) => `${toBase64(hash)}\n`);
    return `old ${from}\n${proof.join('')}\n${head}`;
  }

  async function addKeyLine(
    by: Signer,
    event: 'added' | 'retired',
    of: Signer,
    at = new Date().toISOString(),
  ): Promise<void> {
    const signedBy = vkeyOf(by).split('+')[1]!;
    history.push(await signKeyStatement({ at, event, vkey: vkeyOf(of), signedBy }, by.sign));
  }
  await addKeyLine(signer, 'added', signer, '2026-01-01T00:00:00.000Z');

  function answer(url: URL): Uint8Array | string | null {
    if (url.pathname === '/.well-known/countersign-keys.json') return JSON.stringify({ keys: [], history });
    const path = url.pathname.slice('/log/'.length);
    const replaced = shown.get(path);
    if (replaced) return replaced;
    if (path === 'checkpoint') return head || null;
    if (path === 'consistency') {
      const records = chains.get(url.searchParams.get('origin')!);
      const [from, to] = [Number(url.searchParams.get('from')), Number(url.searchParams.get('to'))];
      if (!records || records.length < to) return null;
      return JSON.stringify({ hashes: treeOf(records.slice(0, to)).proof(from).map(toBase64) });
    }
    if (path === 'closings') return JSON.stringify(closings);
    const [, number, rest] = /^(\d+)\/(.*)$/.exec(path) ?? [];
    const id = parseTilePath(rest ?? path);
    return id && tile(id, number === undefined ? entries : (closedEntries.get(Number(number)) ?? []));
  }

  const server = createServer((request, response) => {
    requests.push(request.url!);
    const body = answer(new URL(request.url!, 'http://service'));
    response.writeHead(body === null ? 404 : 200).end(body ?? '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const vkey = vkeyOf(signer);
  return {
    url,
    vkey,
    signer,
    entries,
    shown,
    chains,
    history,
    requests,
    enter,
    signHead,
    closings,
    closeLog,
    submission,
    addKeyLine,
  };
}
