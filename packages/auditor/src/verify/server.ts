import {
  keyNameFor,
  parseCheckpoint,
  type TrustedKey,
  verifyConsistency,
  verifyNote,
} from '@countersign/proof-kit';
import { fetchUrl } from '../fetch-url.ts';
import { asText, publishedBy } from './keys.ts';
import type { ServerTarget } from './options.ts';
import {
  absent,
  type CenterFindings,
  type Chain,
  centerReports,
  chainReport,
  fail,
  pass,
  type Report,
  type ReportStep,
} from './report.ts';

interface CheckpointAnswer {
  id: string;
  note: string;
}

/** How far back checkpoints are compared; each step is a separate request. */
const RECENT = 8;

const CHECKPOINTS = `query ($domain: ChainDomain!) {
  checkpoints(domain: $domain, first: ${RECENT}) { edges { node { id note } } }
}`;
const CONSISTENCY = 'query ($from: ID!, $to: ID!) { consistencyProof(from: $from, to: $to) { hashes } }';

/**
 * The chains of a center on a running server. The server verifies its chains itself; the signatures of its checkpoints and
 * their consistency are checked here.
 */
export async function verifyServer(
  target: ServerTarget,
  trustedKeys: TrustedKey[] | undefined,
): Promise<Report[]> {
  const keys = trustedKeys ?? (await publishedBy(target.url)).map(asText);
  const found = await getData<CenterFindings>(target, '/api/dpu/verify-chain');
  const reports = centerReports(target.url, found);
  for (const report of reports) {
    const chain = found.chains.find(({ domain }) => report.subject.endsWith(` / ${domain}`));
    if (!chain) continue;
    const { ok, conclusion, steps } = chainReport(report.subject, [
      ...report.steps,
      ...(await checkCheckpoints(target, chain, keys)),
    ]);
    Object.assign(report, { ok, conclusion, steps });
  }
  return reports;
}

async function checkCheckpoints(
  target: ServerTarget,
  { domain, chainLength }: Chain,
  keys: TrustedKey[],
): Promise<ReportStep[]> {
  const { checkpoints } = await graphql<{ checkpoints: { edges: { node: CheckpointAnswer }[] } }>(
    target,
    CHECKPOINTS,
    { domain },
  );
  const nodes = checkpoints.edges
    .map(({ node }) => ({ ...parseCheckpoint(node.note), id: node.id }))
    .reverse();
  const signed = 'Its checkpoints are signed';
  if (nodes.length === 0) return [absent(signed, 'No checkpoint has been made yet.')];
  for (const { note, origin, size } of nodes) {
    const statuses = await Promise.all(
      keys.map(({ name = keyNameFor(origin), publicKey }) =>
        verifyNote(note, { name, publicKey: Buffer.from(publicKey, 'base64') }),
      ),
    );
    if (!statuses.includes('valid'))
      return [fail(signed, `The one of size ${size} is not signed by a trusted key.`)];
  }
  const steps = [pass(signed, `The newest ${nodes.length} carry valid signatures.`)];
  const grown = 'Between checkpoints the chain only grew';
  for (const [i, second] of nodes.entries()) {
    const first = nodes[i - 1];
    if (!first) continue;
    const answer = await graphql<{ consistencyProof: { hashes: string[] } }>(target, CONSISTENCY, {
      from: first.id,
      to: second.id,
    }).catch(whereBroken);
    if (answer === null)
      return [...steps, fail(grown, 'The server cannot show it any more: the chain is broken.')];
    const proof = answer.consistencyProof.hashes.map((hash) => Buffer.from(hash, 'hex'));
    if (first.origin !== second.origin || !verifyConsistency({ first, second, proof }))
      return [
        ...steps,
        fail(grown, `The one of size ${second.size} does not hold the one of size ${first.size}.`),
      ];
  }
  steps.push(pass(grown, 'Each holds everything that the one before it covers.'));
  const newest = nodes.at(-1)!.size;
  const covers = 'The chain is no shorter than what was signed';
  steps.push(
    newest > chainLength
      ? fail(covers, `The tail was cut off: ${newest} records were signed, ${chainLength} are there.`)
      : pass(covers, `The newest checkpoint covers ${newest} of ${chainLength} records.`),
  );
  return steps;
}

async function graphql<T>(target: ServerTarget, query: string, variables: object): Promise<T> {
  const answer = await request<{ data?: T; errors?: { message: string; extensions?: { code?: string } }[] }>(
    target,
    '/graphql',
    {
      method: 'POST',
      body: JSON.stringify({ query, variables }),
    },
  );
  const [error] = answer.errors ?? [];
  if (error?.extensions?.code === 'CHAIN_BROKEN') throw new ChainBroken(error.message);
  if (error || !answer.data) throw new Error(`${target.url}/graphql: ${error?.message ?? 'no data'}`);
  return answer.data;
}

/** The server's code for a chain that has been altered. */
class ChainBroken extends Error {}

function whereBroken(error: unknown): null {
  if (error instanceof ChainBroken) return null;
  throw error;
}

async function getData<T>(target: ServerTarget, path: string): Promise<T> {
  const answer = await request<{ data?: T; error?: { message: string } }>(target, path, {});
  if (!answer.data) throw new Error(`${target.url}${path}: ${answer.error?.message ?? 'no data'}`);
  return answer.data;
}

async function request<T>({ url, token }: ServerTarget, path: string, init: RequestInit): Promise<T> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetchUrl(url + path, { ...init, headers });
  return (await response.json()) as T;
}
