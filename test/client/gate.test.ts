import { afterAll, beforeAll, expect, test } from 'vitest';
import { Countersign } from '../../packages/client/src/countersign.ts';
import { gate } from '../../packages/client/src/gate.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
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

test('a harmless call runs at once and is reported', async () => {
  const refund = gate({ ...options(0.1), tags: ['harmless'] }, ({ amount }: { amount: number }) => ({
    refunded: amount,
  }));
  expect(await refund({ amount: 5 })).toEqual({ refunded: 5 });
  expect(await outcomeOf('harmless')).toEqual({
    status: 'sealed',
    outcome: { status: 'executed', output: { refunded: 5 } },
  });
});

test('a risky call runs only after a person has approved, with the arguments that were shown', async () => {
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

test('a call that was carried out and reported is not run again under its key', async () => {
  let runs = 0;
  const refund = gate(options(0.1), () => ++runs);
  const call = { idempotencyKey: 'refund-once' };
  await refund({ amount: 5 }, call);
  await expect(refund({ amount: 5 }, call)).rejects.toThrow('reported as executed');
  expect(runs).toBe(1);
});
