import pg from 'pg';
import { readCheckpointLines } from '../../domain/ledger/checkpoints/file.ts';
import { type Recomputed, recomputeChain } from '../../domain/ledger/checkpoints/recompute.ts';
import { serviceKeys } from '../../domain/ledger/checkpoints/signing-key.ts';
import {
  keyNameFor,
  parseCheckpoint,
  type SignedCheckpoint,
  type TrustedKey,
  verifyNote,
} from '../../proof-kit/index.ts';
import type { DatabaseTarget } from './options.ts';
import { absent, chainReport, fail, pass, type Report, type ReportStep } from './report.ts';

interface Chain {
  id: number;
  label: string;
  origin: string | null;
  size: number;
  headHash: string | null;
}

interface Stored {
  source: 'table' | 'file';
  note: string;
}

/** Every chain of a database, from one snapshot of it: whatever is appended meanwhile does not disturb. */
export async function verifyDatabase(
  { url, checkpointFile }: DatabaseTarget,
  trustedKeys: TrustedKey[] | undefined,
): Promise<Report[]> {
  // Before the snapshot: what a line of the file covers is then in the snapshot for sure.
  const filed = await readCheckpointLines(checkpointFile);
  const client = new pg.Client({ connectionString: url, application_name: 'countersign verify' });
  await client.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const keys = trustedKeys ?? (await serviceKeys(client)).map(({ publicKey }) => ({ publicKey }));
    const reports: Report[] = [];
    const chains = await readChains(client);
    for (const chain of chains) reports.push(await verifyChain(client, chain, filed, keys));
    return [...reports, ...(await vanishedChains(chains, filed, keys))];
  } finally {
    await client.end();
  }
}

async function readChains(client: pg.Client): Promise<Chain[]> {
  const { rows } = await client.query<Chain>(
    `SELECT l.id, coalesce(c.center_domain, 'service') || ' / ' || l.domain AS label, l.origin, l.size,
            l.head_hash AS "headHash"
     FROM ledger_chain l LEFT JOIN center c ON c.id = l.center_id ORDER BY l.id`,
  );
  return rows;
}

async function verifyChain(
  client: pg.Client,
  chain: Chain,
  filed: string[],
  keys: TrustedKey[],
): Promise<Report> {
  const { rows } = await client.query<{ note: string }>(
    'SELECT note FROM checkpoint WHERE chain_id = $1 ORDER BY size',
    [chain.id],
  );
  const stored: Stored[] = [
    ...rows.map(({ note }) => ({ source: 'table' as const, note })),
    ...filed.map((note) => ({ source: 'file' as const, note })),
  ];
  const { genuine, forged, foreign } = await sort(stored, chain.origin, keys);
  const recomputed = await recomputeChain(
    client,
    chain.id,
    genuine.map(({ size }) => size),
  );
  const steps = [checkRecords(recomputed), checkHead(chain, recomputed), checkRoots(genuine, recomputed)];
  for (const { note } of forged) {
    steps.push(
      fail('Stored checkpoints are genuine', `Not signed by a known key, or for another chain:\n${note}`),
    );
  }
  if (foreign > 0) {
    const text = `${foreign} in the file carry this chain's name and the signature of another key: of another database, or of a key that was removed from this one.`;
    steps.push(absent('Checkpoints of other keys', text));
  }
  return chainReport(chain.label, steps);
}

interface Sorted {
  genuine: (SignedCheckpoint & { source: Stored['source'] })[];
  forged: Stored[];
  foreign: number;
}

/** What a known key signed about this chain counts. A row of the table must be such; a line of the file may not be. */
async function sort(stored: Stored[], origin: string | null, keys: TrustedKey[]): Promise<Sorted> {
  const sorted: Sorted = { genuine: [], forged: [], foreign: 0 };
  for (const item of stored) {
    const checkpoint = tryParse(item.note);
    const about = checkpoint !== null && checkpoint.origin === origin;
    if (about && (await isSigned(checkpoint, keys)))
      sorted.genuine.push({ ...checkpoint, source: item.source });
    else if (item.source === 'table') sorted.forged.push(item);
    else if (about) sorted.foreign++;
  }
  return sorted;
}

async function isSigned({ origin, note }: SignedCheckpoint, keys: TrustedKey[]): Promise<boolean> {
  for (const { name = keyNameFor(origin), publicKey } of keys) {
    if ((await verifyNote(note, { name, publicKey: Buffer.from(publicKey, 'base64') })) === 'valid')
      return true;
  }
  return false;
}

function tryParse(note: string): SignedCheckpoint | null {
  try {
    return parseCheckpoint(note);
  } catch {
    return null;
  }
}

function checkRecords({ length, brokenAt }: Recomputed): ReportStep {
  const title = 'Every record has its hash and its link';
  if (brokenAt !== null) return fail(title, `Record ${brokenAt} is missing, altered or unlinked.`);
  return pass(title, `${length} records were read and their hashes computed anew.`);
}

function checkHead({ size, headHash }: Chain, { length, headHash: last }: Recomputed): ReportStep {
  const title = 'The chain ends where it says';
  if (size === length && headHash === last) return pass(title, 'Its head is the last record.');
  return fail(title, `The head speaks of ${size} records, ${length} are there, or the last one is another.`);
}

function checkRoots(genuine: Sorted['genuine'], { roots, length }: Recomputed): ReportStep {
  const title = 'The chain holds everything that was signed about it';
  if (genuine.length === 0) return absent(title, 'No checkpoint has been made yet.');
  for (const { size, root, source } of genuine) {
    if (size > length)
      return fail(
        title,
        `The tail was cut off: a checkpoint in the ${source} covers ${size} records, ${length} are there.`,
      );
    if (roots.get(size) !== Buffer.from(root).toString('hex'))
      return fail(
        title,
        `The history was rewritten: the first ${size} records are not those of the checkpoint in the ${source}.`,
      );
  }
  const count = (source: Stored['source']) =>
    genuine.filter((checkpoint) => checkpoint.source === source).length;
  return pass(
    title,
    `It agrees with every checkpoint: ${count('table')} in the table, ${count('file')} in the file.`,
  );
}

/** Chains that a known key signed for and that the database no longer has. */
async function vanishedChains(chains: Chain[], filed: string[], keys: TrustedKey[]): Promise<Report[]> {
  const known = new Set(chains.map(({ origin }) => origin));
  const gone = new Set<string>();
  for (const note of filed) {
    const checkpoint = tryParse(note);
    if (checkpoint && !known.has(checkpoint.origin) && (await isSigned(checkpoint, keys)))
      gone.add(checkpoint.origin);
  }
  return [...gone].map((origin) =>
    chainReport(origin, [
      fail('The chain is there', 'The file holds checkpoints of it, the database does not know it.'),
    ]),
  );
}
