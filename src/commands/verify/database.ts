import pg from 'pg';
import { keysOutside } from '../../domain/ledger/checkpoints/keys/published.ts';
import { type Recomputed, recomputeChain } from '../../domain/ledger/checkpoints/recompute.ts';
import { parseOrigin, type TrustedKey } from '../../proof-kit/index.ts';
import { type FiledOrigin, isSigned, readFiled, SignedRoots, tryParse } from './filed.ts';
import type { DatabaseTarget } from './options.ts';
import { absent, chainReport, fail, pass, type Report, type ReportStep } from './report.ts';

interface Chain {
  id: number;
  label: string;
  origin: string | null;
  size: number;
  headHash: string | null;
}

/** Every chain of a database, from one snapshot of it: whatever is appended meanwhile does not disturb. */
export async function verifyDatabase(
  { url, checkpointFile, dataDir }: DatabaseTarget,
  trustedKeys: TrustedKey[] | undefined,
): Promise<Report[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'countersign verify' });
  await client.connect();
  try {
    const history = await keysOutside(dataDir, client);
    const keys = trustedKeys ?? history.map(({ name, publicKey }) => ({ name, publicKey }));
    // Before the snapshot: what a line of the file covers is then in the snapshot for sure.
    const filed = await readFiled(checkpointFile, keys);
    // 'acrossTenants': every chain there is. Whoever runs it may well be the owner, who is bound by row security too.
    await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL cs.centers = '*'`);
    const reports: Report[] = [];
    const chains = await readChains(client);
    for (const chain of chains) reports.push(await verifyChain(client, chain, filed, keys));
    return [...reports, ...vanishedChains(chains, filed)];
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
  filed: ReadonlyMap<string, FiledOrigin>,
  keys: TrustedKey[],
): Promise<Report> {
  const { rows } = await client.query<{ note: string }>(
    'SELECT note FROM checkpoint WHERE chain_id = $1 ORDER BY size',
    [chain.id],
  );
  const table = new SignedRoots();
  const forged: string[] = [];
  for (const { note } of rows) {
    const checkpoint = tryParse(note);
    if (checkpoint && checkpoint.origin === chain.origin && (await isSigned(checkpoint, keys)))
      table.add(checkpoint.size, checkpoint.root);
    else forged.push(note);
  }
  const file = (chain.origin !== null && filed.get(chain.origin)) || {
    genuine: new SignedRoots(),
    foreign: 0,
  };
  const sizes = new Set([...table, ...file.genuine].map(({ size }) => size));
  const recomputed = await recomputeChain(client, chain.id, sizes);
  const steps = [
    checkRecords(recomputed),
    checkHead(chain, recomputed),
    checkRoots(table, file.genuine, recomputed),
    ...forged.map((note) =>
      fail(
        'Stored checkpoints are genuine',
        `Not signed by a key that is known or trusted, or for another chain:\n${note}`,
      ),
    ),
  ];
  if (file.foreign > 0) {
    const text = `${file.foreign} in the file carry this chain's name and the signature of another key than those that are known or trusted.`;
    steps.push(fail('No other key has signed for this chain', text));
  }
  return chainReport(chain.label, steps);
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

function checkRoots(table: SignedRoots, file: SignedRoots, { roots, length }: Recomputed): ReportStep {
  const title = 'The chain holds everything that was signed about it';
  if (table.length + file.length === 0) return absent(title, 'No checkpoint has been made yet.');
  for (const [source, signed] of [['table', table] as const, ['file', file] as const]) {
    for (const { size, root } of signed) {
      if (size > length)
        return fail(
          title,
          `The tail was cut off: a checkpoint in the ${source} covers ${size} records, ${length} are there.`,
        );
      if (roots.get(size) !== root)
        return fail(
          title,
          `The history was rewritten: the first ${size} records are not those of the checkpoint in the ${source}.`,
        );
    }
  }
  return pass(
    title,
    `It agrees with every checkpoint: ${table.length} in the table, ${file.length} in the file.`,
  );
}

/** Chains that a known key signed for and that the database no longer has. */
function vanishedChains(chains: Chain[], filed: ReadonlyMap<string, FiledOrigin>): Report[] {
  const known = new Set(chains.map(({ origin }) => origin));
  const gone = [...filed].filter(([origin, { genuine }]) => {
    return genuine.length > 0 && !known.has(origin) && parseOrigin(origin)?.chain !== null;
  });
  return gone.map(([origin]) =>
    chainReport(origin, [
      fail('The chain is there', 'The file holds checkpoints of it, the database does not know it.'),
    ]),
  );
}
