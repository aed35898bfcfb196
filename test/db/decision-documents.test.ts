// The fixture was written by the release before the migration: decisions of two centers, and what callers saw of them. It
// cannot be generated again.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import type { Parsed } from '../helpers/client.ts';
import { makeKey, makeToken } from '../helpers/world.ts';
import {
  type Caller,
  type DecisionSnapshot,
  decisionSnapshot,
  verifyCenter,
  viewDecision,
} from './decision-snapshot.ts';
import { type DatabaseFixture, readFixture, upgradedDatabase } from './load-fixture.ts';

const WAITING = ['waiting', 'waitingBare', 'agentWaiting', 'halfDual'] as const;
type Scene =
  | (typeof WAITING)[number]
  | 'pendingMandate'
  | 'halfQuorum'
  | 'zoe'
  | 'mandate'
  | 'unerased'
  | 'recordedOnce'
  | 'decidedOnce';

interface Fixture extends DatabaseFixture {
  /** Shortly after the last decision. Mandates and expiries depend on it. */
  at: string;
  centers: { centerId: number; admin: string; key: string; snapshot: DecisionSnapshot }[];
  /** Ids of the decisions and people that the tests continue with. */
  scenes: Record<Scene, string>;
}

const { centers, scenes, at, ...stored } = readFixture<Fixture>('decisions-before-documents');

let running: TestApp;
const callers: Caller[] = [];
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(at) });
  const database = await upgradedDatabase(stored, '20261118120000_decision_documents');
  running = await startTestApp({ database });
  for (const { centerId, admin, key } of centers) {
    callers.push({ token: await makeToken(running.app, admin, centerId), key });
  }
});
afterAll(async () => {
  vi.useRealTimers();
  await running?.close();
});

/** The journal grew: a later migration names the members of groups on it. */
const withoutJournal = ({ chainLength: _, chains, ...rest }: Parsed): Parsed => ({
  ...rest,
  chains: chains.filter(({ domain }: Parsed) => domain !== 'journal'),
});

const inFormat4 = (proof: Parsed): Parsed =>
  proof && JSON.parse(JSON.stringify(proof).replaceAll('"countersign/3"', '"countersign/4"'));

describe.each(centers.map((center, index) => ({ ...center, index })))(
  'center $centerId',
  ({ snapshot, index }) => {
    let now: DecisionSnapshot;
    beforeAll(async () => {
      now = await decisionSnapshot(running, callers[index]!);
    });

    test('has valid chains, and no row differs from what was sealed', () => {
      expect(withoutJournal(now.verification)).toEqual(withoutJournal(snapshot.verification));
      expect(now.verification).toMatchObject({ valid: true, brokenAt: null, differences: [] });
    });

    test('lists and finds the same decisions', () => {
      expect(now.lists).toEqual(snapshot.lists);
      expect(now.page).toEqual(snapshot.page);
    });

    test.each(Object.entries(snapshot.decisions))('shows and proves %s as before', (id, before) => {
      const decision = now.decisions[id]!;
      expect(decision.view).toEqual(before.view);
      expect(decision.rest).toMatchObject(before.rest);
      if (before.verdict === undefined) expect(decision.verdict).toBeUndefined();
      // The seal does not say which policies were considered, as it does since format 4.
      else expect(decision.verdict).toMatch(/^partial: .*missing: policy\.journals, policy\.considered/);
      const { policies = [], ...proof } = inFormat4(before.proof) ?? {};
      const { policies: attached = [], ...rest } = decision.proof ?? {};
      expect(rest).toEqual(proof);
      // Of the policies that covered the action, only those that the guards name are known.
      expect(policies).toEqual(expect.arrayContaining(attached));
    });
  },
);

test('waiting decisions keep the time at which they expire, or are looked at for an escalation', async () => {
  const { rows } = await running.superuser.query(
    `SELECT e.id, e.expires_at AS "expiresAt", e.due_at AS "dueAt", e.created_at AS "createdAt", EXISTS (
       SELECT FROM policy p WHERE p.center_id = e.center_id AND p.active AND p.guards ->> 'escalateToGroup' IS NOT NULL) AS escalates
     FROM decision_event e WHERE status IN ('recorded', 'approved') AND (source <> 'AGENT' OR awaits_approval)`,
  );
  expect(rows.some(({ expiresAt }) => expiresAt !== null)).toBe(true);
  for (const { expiresAt, dueAt, createdAt, escalates } of rows)
    expect(dueAt).toEqual(escalates ? createdAt : expiresAt);
});

describe('decisions continue:', () => {
  const call = (path: string, body: object, headers = {}) =>
    running.call('POST', `/v1${path}`, { token: callers[0]!.key, body, headers });
  const post = async (...request: Parameters<typeof call>): Promise<Parsed> =>
    (await call(...request)).body.data;
  const approve = (id: string) =>
    post(`/decision-events/${id}/approvals`, {
      approver: { id: 'boss', type: 'human' },
      result: 'approved',
      reason: 'Now.',
    });
  const APPROVE = `mutation ($input: ApproveDecisionInput!) { approveDecision(input: $input) { evidenceLevel } }`;
  const ERASE = `mutation ($input: EraseDecisionInput!) { eraseDecision(input: $input) { erased { path } } }`;
  const ask = async (document: string, input: object, token = callers[0]!.token) =>
    Object.values((await running.graphql(document, { input }, token)).data)[0];
  const SEALED = { evidenceLevel: 'AUDIT_READY' };
  let usedId: string;

  test.each(WAITING)('%s is sealed by an approval', async (scene) => {
    expect(await approve(scenes[scene])).toMatchObject(SEALED);
  });

  test('the last approver completes a quorum', async () => {
    const zoe = await makeToken(running.app, scenes.zoe, centers[0]!.centerId);
    const input = { eventId: scenes.halfQuorum, result: 'approved' };
    expect(await ask(APPROVE, input, zoe)).toEqual(SEALED);
  });

  test('a mandate counts its earlier uses', async () => {
    const { eventId, ...used } = await post('/agents/decide', {
      agent: { id: 'mandated' },
      action: { type: 'refund.grant', input: { amount: 20 } },
      riskScore: 0.95,
    });
    expect(used).toMatchObject({
      outcome: 'completed',
      mandate: { id: scenes.mandate, use: 4, remaining: { uses: 5 } },
    });
    usedId = eventId;
  });

  test('a mandate belongs to the key that asked for it', async () => {
    const token = await makeKey(running.app, centers[0]!.centerId);
    const read = await running.call('GET', `/v1/mandates/${scenes.mandate}`, { token: callers[0]!.key });
    const [, publicId] = callers[0]!.key.split('_');
    const { db } = running.app;
    const { id } = await db.acrossTenants.apiKey.findUniqueOrThrow({ where: { publicId: publicId! } });
    expect(read.body.data.keys).toEqual([id]);
    const body = { agent: { id: 'mandated' }, action: { type: 'refund.grant', input: { amount: 20 } } };
    const other = await running.call('POST', '/v1/agents/decide', {
      token,
      body: { ...body, riskScore: 0.95 },
    });
    expect(other.body.data.outcome).toBe('awaiting_approval');
  });

  test('a mandate that waits is granted by a person, not by a key', async () => {
    const refused = await call(`/decision-events/${scenes.pendingMandate}/approvals`, {
      approver: { id: 'boss', type: 'human' },
      result: 'approved',
    });
    expect(refused.body.error.details).toEqual({ rule: 'mandate_grant' });
    const input = { eventId: scenes.pendingMandate, result: 'approved', reason: 'Now.' };
    expect(await ask(APPROVE, input)).toEqual(SEALED);
  });

  test('every member of a decision is erased', async () => {
    const answer = await ask(ERASE, { eventId: scenes.unerased, reason: 'asked to' });
    const paths = (answer as { erased: { path: string }[] }).erased.map(({ path }) => path);
    expect(paths).toHaveLength(17);
  });

  test('a repeated request returns the earlier decision, and another body is a conflict', async () => {
    const keyed = { 'Idempotency-Key': 'repeated' };
    const recorded = { type: 'custom', actor: { id: 'cron', type: 'system' }, action: { type: 'cleanup' } };
    const decided = {
      agent: { id: 'repeating' },
      action: { type: 'noop', input: { b: 1, a: 1e-7 } },
      riskScore: 0.1,
    };
    expect((await post('/decision-events', { ...recorded, idempotencyKey: 'repeated' })).id).toBe(
      scenes.recordedOnce,
    );
    expect((await post('/agents/decide', decided, keyed)).eventId).toBe(scenes.decidedOnce);
    expect((await call('/agents/decide', { ...decided, riskScore: 0.2 }, keyed)).status).toBe(409);
    const token = await makeKey(running.app, centers[0]!.centerId);
    const other = await running.call('POST', '/v1/agents/decide', { token, body: decided, headers: keyed });
    expect(other.status).toBe(201);
  });

  test('and all of them are valid afterwards', async () => {
    const sealed = [...WAITING, 'pendingMandate', 'halfQuorum', 'unerased'] as const;
    for (const id of [...sealed.map((scene) => scenes[scene]), usedId]) {
      const { verdict } = await viewDecision(running, callers[0]!, id);
      expect(verdict).toMatch(
        /^(proven: sealed at |partial: (erased: |missing: mandateProof\.mandateId, mandateProof \(missing: policy\.journals))/,
      );
    }
    expect(await verifyCenter(running, callers[0]!)).toMatchObject({
      valid: true,
      brokenAt: null,
      differences: [],
    });
  });
});
