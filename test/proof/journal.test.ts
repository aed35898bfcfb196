import { recordHash } from '@countersign/proof-kit/record';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { statementsOf } from '../helpers/explained.ts';
import { makeMember } from '../helpers/world.ts';
import { type ProofStage, proofStage } from './stage.ts';

interface Entry {
  index: number;
  kind: string;
  content: string;
  hash: string;
  at: string;
}

let running: TestApp;
let stage: ProofStage;
let ids: Record<'waiting' | 'rejected' | 'halfway' | 'done', string>;
beforeAll(async () => {
  running = await startTestApp({ reportsPlans: true });
  stage = await proofStage(running);
  await stage.policy({ dualApproval: true }, 'payout');
  const record = async (type: string) => (await stage.record({ action: { type } })).id as string;
  ids = {
    waiting: await record('refund'),
    rejected: await record('refund'),
    halfway: await record('payout'),
    done: await record('refund'),
  };
  await stage.approve(ids.rejected, { result: 'rejected', reason: 'No.' });
  await stage.approve(ids.halfway);
  await stage.approve(ids.done);
  const { argumentsDigest } = (
    await running.graphql(
      'query ($id: ID!) { decisionEvent(id: $id) { argumentsDigest } }',
      { id: ids.done },
      stage.token,
    )
  ).data.decisionEvent;
  await stage.post(`/decision-events/${ids.done}/outcome`, {
    status: 'executed',
    argumentsDigest: `sha256:${argumentsDigest}`,
  });
});
afterAll(() => running.close());

const JOURNAL = /* GraphQL */ `
  query ($first: Int, $after: String, $last: Int, $before: String) {
    journal(first: $first, after: $after, last: $last, before: $before) {
      edges { cursor node { index kind content hash at } }
      pageInfo { hasNextPage hasPreviousPage endCursor }
    }
  }`;
const page = async (variables: object, token = stage.token) => {
  const { data, errors } = await running.graphql(JOURNAL, { ...variables }, token);
  const entries = data?.journal.edges.map(({ node }: { node: Entry }) => node) as Entry[];
  return { entries, pageInfo: data?.journal.pageInfo, code: errors?.[0]?.extensions.code };
};

test('an ADMIN pages through the journal newest first, and can recompute its hashes', async () => {
  const { entries } = await page({ first: 100 });
  expect(entries.map(({ kind }) => kind).reverse()).toEqual([
    ...['policy', 'recorded', 'recorded', 'recorded', 'recorded'],
    ...['rejected', 'approved', 'outcome'],
  ]);
  expect(entries.map(({ index }) => index)).toEqual([7, 6, 5, 4, 3, 2, 1, 0]);
  for (const [i, { content, hash, at, kind }] of entries.entries()) {
    const previousHash = entries[i + 1]?.hash ?? '';
    expect(recordHash({ content, previousHash, timestamp: at })).toBe(hash);
    expect(JSON.parse(content).kind).toBe(kind);
  }
  const first = await page({ first: 3 });
  expect(first.entries.map(({ index }) => index)).toEqual([7, 6, 5]);
  expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
  const next = await page({ first: 3, after: first.pageInfo.endCursor });
  expect(next.entries.map(({ index }) => index)).toEqual([4, 3, 2]);
  expect((await page({ last: 2, before: 'journal:5' })).entries.map(({ index }) => index)).toEqual([7, 6]);
  expect((await page({ last: 2 })).entries.map(({ index }) => index)).toEqual([1, 0]);
  expect((await page({ first: 101 })).entries).toHaveLength(8);
});

test.each(['nonsense', '-1', '1.5', '', '99999999999', 'evt_1'])(
  '%j is rejected as a cursor',
  async (after) => {
    expect((await page({ first: 1, after })).code).toBe('VALIDATION_ERROR');
  },
);

test('journal entries of listed decisions take one statement, however many are shown', async () => {
  const list = (first: number) =>
    running.graphql(
      'query ($first: Int) { decisionEvents(first: $first) { edges { node { id journal { index kind } } } } }',
      { first },
      stage.token,
    );
  const { data } = await list(10);
  const kinds = new Map<string, string[]>(
    data.decisionEvents.edges.map(({ node }: { node: { id: string; journal: Entry[] } }) => [
      node.id,
      node.journal.map(({ kind }) => kind),
    ]),
  );
  expect(kinds.get(ids.waiting)).toEqual(['recorded']);
  expect(kinds.get(ids.rejected)).toEqual(['recorded', 'rejected']);
  expect(kinds.get(ids.halfway)).toEqual(['recorded', 'approved']);
  expect(kinds.get(ids.done)).toEqual(['recorded', 'outcome']);
  const statements = async (first: number) =>
    (await statementsOf(running.app, () => list(first))).map(({ text }) => text);
  expect((await statements(1)).length).toBeGreaterThan(1);
  // The caller may be read again in the background meanwhile.
  await vi.waitFor(async () => expect(await statements(10)).toEqual(await statements(1)), {
    timeout: 50_000,
  });
});

test('other roles, API keys and other centers cannot read it', async () => {
  const instructor = await makeMember(running.app, stage.center.id, 'INSTRUCTOR');
  expect((await page({ first: 1 }, instructor.token)).code).toBe('INSUFFICIENT_ROLE');
  expect((await page({ first: 1 }, stage.key)).entries).toBeUndefined();
  const other = await proofStage(running);
  expect((await page({ first: 100 }, other.token)).entries).toEqual([]);
});

test('an invalid entry returns CHAIN_BROKEN, not a server error', async () => {
  const [newest] = (await page({ first: 1 })).entries;
  const change = (content: string) =>
    running.superuser.query(
      `BEGIN; SET LOCAL session_replication_role = replica;
       UPDATE ledger_record SET content = '${content}' WHERE hash = '${newest!.hash}'; COMMIT`,
    );
  for (const content of ['not json', '7', '{"kind":1}', 'null']) {
    await change(content);
    expect((await page({ first: 1 })).code).toBe('CHAIN_BROKEN');
  }
  await change(newest!.content);
  expect((await page({ first: 1 })).entries).toEqual([newest]);
});
