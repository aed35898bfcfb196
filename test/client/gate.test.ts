import { afterAll, beforeAll, expect, test } from 'vitest';
import { Countersign } from '../../packages/client/src/countersign.ts';
import { argumentsDigest as digestOf } from '../../packages/client/src/digest.ts';
import { type CallDenied, gate } from '../../packages/client/src/gate.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { makeKey } from '../helpers/world.ts';
import { type ProofStage, proofStage } from '../proof/stage.ts';

let running: TestApp;
let stage: ProofStage;
let client: Countersign;
beforeAll(async () => {
  running = await startTestApp({ worker: true });
  stage = await proofStage(running);
  client = new Countersign({ baseUrl: running.url, apiKey: stage.key });
});
afterAll(() => running.close());

const options = (risk: number) => ({
  client,
  agent: { id: 'refund-agent' },
  actionType: 'refund.grant',
  risk: () => risk,
  pollInterval: 50,
});
const waiting = async () => {
  for await (const event of client.decisions.list({ status: 'recorded' })) return event.id;
  return null;
};
const outcomeOf = async (tag: string) => {
  const { data } = await running.graphql(
    'query ($tag: String) { decisionEvents(first: 5, filter: {tag: $tag}) { edges { node { status outcome { status output } } } } }',
    { tag },
    stage.key,
  );
  return data.decisionEvents.edges[0].node;
};

test('a low-risk call runs immediately and is reported', async () => {
  const refund = gate({ ...options(0.1), tags: ['harmless'] }, ({ amount }: { amount: number }) => ({
    refunded: amount,
  }));
  expect(await refund({ amount: 5 })).toEqual({ refunded: 5 });
  expect(await outcomeOf('harmless')).toEqual({
    status: 'sealed',
    outcome: { status: 'executed', output: { refunded: 5 } },
  });
});

test('a risky call runs only after a person has approved, with the approved arguments', async () => {
  const ran: number[] = [];
  const refund = gate({ ...options(0.95), tags: ['risky'] }, ({ amount }: { amount: number }) => {
    ran.push(amount);
    return { refunded: amount };
  });
  const argument = { amount: 4900 };
  const call = refund(argument);
  await eventually(async () => (await waiting()) !== null);
  argument.amount = 1_000_000;
  expect(ran).toEqual([]);
  await stage.approve((await waiting())!);
  expect(await call).toEqual({ refunded: 4900 });
  expect(ran).toEqual([4900]);
});

test('a rejected call does not run; a failing tool is reported as failed', async () => {
  let runs = 0;
  const refund = gate(options(0.95), () => ++runs);
  const call = refund({}).catch((error: Error) => error.name);
  await eventually(async () => (await waiting()) !== null);
  await stage.approve((await waiting())!, { result: 'rejected' });
  expect(await call).toBe('CallDenied');
  expect(runs).toBe(0);

  const broken = gate({ ...options(0.1), tags: ['broken'] }, () => {
    throw new Error('bank is closed');
  });
  await expect(broken({})).rejects.toThrow('bank is closed');
  expect((await outcomeOf('broken')).outcome).toEqual({
    status: 'failed',
    output: { error: 'bank is closed' },
  });
});

test('a call that was executed and reported is not run again under its key', async () => {
  let runs = 0;
  const refund = gate(options(0.1), () => ++runs);
  const call = { idempotencyKey: 'refund-once' };
  await refund({ amount: 5 }, call);
  await expect(refund({ amount: 5 }, call)).rejects.toThrow('reported as executed');
  expect(runs).toBe(1);
});

test('concurrent calls with one key run the tool once, and the others report why they did not', async () => {
  let runs = 0;
  const all = Promise.withResolvers<void>();
  const refund = gate(options(0.1), async () => {
    runs++;
    // Holds the outcome back until every other call has been answered.
    await all.promise;
    return { refunded: true };
  });
  const denied: string[] = [];
  const calls = Array.from({ length: 5 }, () =>
    refund({ amount: 7 }, { idempotencyKey: 'refund-race' }).catch((error: CallDenied) => {
      denied.push(error.reason);
      if (denied.length === 4) all.resolve();
      return null;
    }),
  );
  const answers = await Promise.all(calls);
  expect(answers.filter((answer) => answer !== null)).toEqual([{ refunded: true }]);
  expect(denied).toEqual(['claimed', 'claimed', 'claimed', 'claimed']);
  expect(runs).toBe(1);
  await expect(refund({ amount: 7 }, { idempotencyKey: 'refund-race' })).rejects.toMatchObject({
    reason: 'reported',
  });
});

test('after a crash between claim and outcome the tool is not run again until the outcome is known', async () => {
  let runs = 0;
  let crashed: string | null = null;
  // A process that dies while running the tool never reports.
  const dying = new Countersign({ baseUrl: running.url, apiKey: stage.key });
  const claim = dying.decisions.claim;
  dying.decisions.claim = async (eventId) => {
    await claim(eventId);
    crashed = eventId;
    throw new Error('killed');
  };
  const call = { idempotencyKey: 'refund-crash' };
  const refund = (by: Countersign) => gate({ ...options(0.1), client: by }, () => ++runs);
  await expect(refund(dying)({ amount: 9 }, call)).rejects.toThrow('killed');
  await expect(refund(client)({ amount: 9 }, call)).rejects.toMatchObject({
    reason: 'claimed',
    eventId: crashed,
    message: expect.stringContaining('may have acted'),
  });
  expect(runs).toBe(0);
  const argumentsDigest = await digestOf({ amount: 9 });
  await client.decisions.reportOutcome(crashed!, { status: 'failed', argumentsDigest, output: {} });
  await expect(refund(client)({ amount: 9 }, call)).rejects.toMatchObject({ reason: 'reported' });
  expect(runs).toBe(0);
});

test('another key of the center cannot execute a decision that this key requested', async () => {
  const { eventId } = await client.agents.decide({
    agent: { id: 'refund-agent' },
    action: { type: 'refund.grant', input: {} },
    riskScore: 0.1,
  });
  const other = new Countersign({
    baseUrl: running.url,
    apiKey: await makeKey(running.app, stage.center.id),
  });
  await expect(other.decisions.claim(eventId)).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('a mandate covers calls without a person; the result names it and the remaining budget', async () => {
  const validUntil = new Date(Date.now() + 86_400_000).toISOString();
  const terms = {
    agent: { id: 'mandated' },
    actionPattern: 'refund.*',
    maxUses: 2,
    validUntil,
    reason: 'Small',
  };
  const { mandateId, eventId } = await client.mandates.request(terms);
  await stage.approveInPerson(eventId);
  expect(await client.mandates.get(mandateId)).toMatchObject({ status: 'active', used: 0 });
  const decisions: unknown[] = [];
  const refund = gate(
    { ...options(0.95), agent: { id: 'mandated' }, onDecision: ({ mandate }) => decisions.push(mandate) },
    () => 'done',
  );
  expect(await refund({ amount: 1 })).toBe('done');
  expect(decisions).toEqual([{ id: mandateId, eventId, use: 1, remaining: { uses: 1, budget: null } }]);
  await client.mandates.revoke(mandateId);
  const found = [];
  for await (const { id, status } of client.mandates.list()) found.push([id, status]);
  expect(found).toContainEqual([mandateId, 'revoked']);
});
