import { expect, onTestFinished, test } from 'vitest';
import { type TestApp, testApp } from '../helpers/app.ts';
import { makeMember, makeStage } from '../helpers/world.ts';

interface Progress {
  domain: string;
  checked: number;
  total: number;
  result: { valid: boolean; chainLength: number; brokenAt: number | null } | null;
}

const WATCH = 'subscription { verifyChain { domain checked total result { valid chainLength brokenAt } } }';

/** The whole stream of a verification, after it has ended by itself. */
async function watched({ fetch }: TestApp, token: string): Promise<{ progress: Progress[]; text: string }> {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ query: WATCH }),
  });
  const text = await response.text();
  const messages = [...text.matchAll(/event: next\ndata: (.*)\n\n/g)].map(([, data]) => JSON.parse(data!));
  return { progress: messages.flatMap(({ data }) => (data?.verifyChain ? [data.verifyChain] : [])), text };
}

test('a long verification reports its progress and ends with a result', {
  timeout: 120_000,
}, async () => {
  const running = await testApp();
  const { center, token } = await makeStage(running.app);
  const LENGTH = 20_000;
  // Directly into the tables, without the application's timeouts: creating the rows is not under test.
  await running.superuser.query(
    `WITH appended AS (
       SELECT a.* FROM ledger_append(ledger_chain_for($1, 'platform'),
         (SELECT array_agg('record ' || i ORDER BY i) FROM generate_series(1, $2::int) i), '2026-01-01T00:00:00.000Z') a
     )
     INSERT INTO dpu (id, center_id, chain_id, index, domain, vertical, evidence_level)
     SELECT 'dpu_' || index, $1, chain_id, index, 'platform', 'education', 'DRAFT' FROM appended`,
    [center.id, LENGTH],
  );
  await running.superuser.query(
    `WITH entry AS (
       SELECT d.index / 16 AS n, json_build_object('kind', 'dpu', 'born', json_agg(
         json_build_object('id', d.id, 'index', d.index, 'digest', dpu_digest(d), 'members', '{}'::json)))::text AS content
       FROM dpu d WHERE d.center_id = $1 GROUP BY 1
     ), noted AS (
       SELECT a.index, row_number() OVER (ORDER BY a.index) - 1 AS n
       FROM ledger_append(ledger_chain_for($1, 'journal'),
         (SELECT array_agg(content ORDER BY n) FROM entry), '2026-01-01T00:00:00.000Z') a
     )
     UPDATE dpu d SET journal_index = noted.index FROM noted WHERE d.center_id = $1 AND d.index / 16 = noted.n`,
    [center.id],
  );
  const { progress } = await watched(running, token);
  const last = progress.at(-1)!;
  expect(last.result).toEqual({ valid: true, chainLength: last.total, brokenAt: null });
  expect(last.checked).toBe(last.total);
  expect(last.total).toBeGreaterThan(LENGTH);
  const before = progress.slice(0, -1);
  expect(before.length).toBeGreaterThan(2);
  expect(before.every(({ result }) => result === null)).toBe(true);
  const figures = progress.map(({ checked }) => checked);
  expect(figures).toEqual([...figures].sort((a, b) => a - b));

  const again = await running.call('GET', '/dpu/verify-chain', { token });
  expect(again.body.data.chains[0]).toMatchObject({ domain: 'platform', valid: true, chainLength: LENGTH });
});

test('an empty center is valid, and only ADMIN and INSTRUCTOR can verify', async () => {
  const running = await testApp();
  const { center, token } = await makeStage(running.app);
  const { progress } = await watched(running, token);
  expect(progress.at(-1)!.result).toMatchObject({ valid: true, brokenAt: null });
  const { body } = await running.call('GET', '/dpu/verify-chain', { token });
  expect(body.data.genesisHash).toBeNull();
  const parent = await makeMember(running.app, center.id, 'PARENT');
  const refused = await watched(running, parent.token);
  expect(refused.progress).toEqual([]);
  expect(refused.text).toContain('INSUFFICIENT_ROLE');
  onTestFinished(() => running.close());
});
