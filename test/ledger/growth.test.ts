import pg from 'pg';
import { expect, test } from 'vitest';
import { systemContext } from '../../src/domain/context.ts';
import { recordDpu } from '../../src/domain/dpus/append-dpu.ts';
import { newId } from '../../src/lib/ids.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { makeStage } from '../helpers/world.ts';
import { decision } from '../proof/decisions.ts';
import { proofStage } from '../proof/stage.ts';

const TIMES = 80;
/** Reading a whole table each time would be 40 rows on average. */
const MOST_ROWS_EACH = 25;
/** Row security reads this table many times for each action, but it does not grow. */
const NOT_GROWING = 'ledger_chain';

/** Ends the service and returns how many rows of each table it has read; PostgreSQL knows it when the connections are gone. */
async function rowsRead(running: TestApp): Promise<Record<string, number>> {
  await running.close();
  const client = new pg.Client(running.database.adminUrl);
  await client.connect();
  try {
    await eventually(async () => {
      const { rows } = await client.query(
        'SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
      return rows.length === 0;
    });
    const { rows } = await client.query<{ name: string; read: number }>(
      `SELECT relname AS name, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS read FROM pg_stat_user_tables`,
    );
    return Object.fromEntries(rows.map(({ name, read }) => [name, read]));
  } finally {
    await client.end();
  }
}

/**
 * Actions, each with the number of callers who repeat it at the same time: PostgreSQL plans large batches differently from
 * single rows. A connection keeps the plans it made while the tables were empty.
 */
const work: [string, number, (running: TestApp) => Promise<() => Promise<unknown>>][] = [
  [
    'sealing a platform record',
    64,
    async ({ app }) => {
      const { center } = await makeStage(app);
      const ctx = systemContext(app, 'test', center.id);
      return () => recordDpu(ctx, { content: 'a decision' });
    },
  ],
  [
    'recording a decision and approving it',
    1,
    async (running) => {
      const { post } = await proofStage(running);
      const approval = { approver: { id: 'ann', type: 'human' }, result: 'approved' };
      return async () => {
        const recorded = await post('/decision-events', decision, retryable());
        const path = `/decision-events/${recorded.body.data.id}/approvals`;
        expect((await post(path, approval, retryable())).status).toBe(200);
      };
    },
  ],
  [
    'the decision of an agent and its outcome',
    1,
    async (running) => {
      const { post } = await proofStage(running);
      const call = { agent: { id: 'refund-agent' }, action: { type: 'refund.grant' }, riskScore: 0.2 };
      return async () => {
        const { eventId, argumentsDigest } = (await post('/agents/decide', call, retryable())).body.data;
        const outcome = { status: 'executed', argumentsDigest };
        expect((await post(`/decision-events/${eventId}/outcome`, outcome, retryable())).status).toBe(201);
      };
    },
  ],
  [
    'a decision under a mandate',
    1,
    async (running) => {
      const { post, approveInPerson } = await proofStage(running);
      const agent = { id: 'refund-agent' };
      const validUntil = new Date(Date.now() + 86_400_000).toISOString();
      const terms = { agent, actionPattern: 'refund.*', validUntil, reason: 'Small refunds need no person.' };
      await approveInPerson((await post('/mandates', terms)).body.data.eventId);
      return async () => {
        const { body } = await post('/agents/decide', {
          agent,
          action: { type: 'refund.grant' },
          riskScore: 0.95,
        });
        expect(body.data.outcome).toBe('completed');
      };
    },
  ],
];

const retryable = () => ({ 'Idempotency-Key': newId('key') });

test.each(work)(
  '%s reads no more rows after many of them than at the start',
  { timeout: 240_000 },
  async (_, callers, prepare) => {
    const running = await testApp();
    const once = await prepare(running);
    for (let i = 0; i < TIMES; i++) await Promise.all(Array.from({ length: callers }, once));
    const read = await rowsRead(running);
    expect(read['ledger_record']).toBeGreaterThan(TIMES * callers);
    const tooMany = Object.entries(read).filter(
      ([name, rows]) => name !== NOT_GROWING && rows > MOST_ROWS_EACH * TIMES * callers,
    );
    expect(tooMany).toEqual([]);
  },
);
