import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeClient, type TestClient } from '../helpers/client.ts';
import { type ServerProcess, startServer } from '../helpers/process.ts';
import { expectLinked } from '../proof/mandate-links.ts';
import { type ProofStage, proofStage } from '../proof/stage.ts';

let stagehand: TestApp;
let stage: ProofStage;
let servers: ServerProcess[];
let apis: TestClient[];

beforeAll(async () => {
  stagehand = await startTestApp();
  stage = await proofStage(stagehand);
  const { url: DATABASE_URL, checkpointFile: CHECKPOINT_FILE } = stagehand.database;
  const env = { ROLE: 'api', RATE_PROOF: '0', RATE_STANDARD: '0', RATE_CENTER: '0', DATABASE_POOL: '8' };
  const start = () => startServer({ env: { ...env, DATABASE_URL, CHECKPOINT_FILE } });
  servers = await Promise.all([start(), start()]);
  apis = servers.map(({ url }) => makeClient(url));
}, 150_000);
afterAll(async () => {
  await Promise.all(servers.map((server) => server.end()));
  await stagehand.close();
});

let agents = 0;

/** A mandate that a human granted. */
async function grant(terms: object): Promise<{ agent: string; mandateId: string }> {
  const agent = `agent-${agents++}`;
  const validUntil = new Date(Date.now() + 86_400_000).toISOString();
  const common = { agent: { id: agent }, actionPattern: 'refund.*', validUntil, reason: 'Small refunds' };
  const { body } = await stage.post('/mandates', { ...common, ...terms });
  await stage.approveInPerson(body.data.eventId);
  return { agent, mandateId: body.data.mandateId };
}

async function decide(api: TestClient, agent: string, amount: number) {
  const action = { type: 'refund.grant', description: 'A refund', input: { amount } };
  const body = { agent: { id: agent }, action, riskScore: 0.95 };
  return (await api.call('POST', '/v1/agents/decide', { token: stage.key, body })).body.data;
}

test('uses and budget of a mandate are not exceeded by concurrent calls in two processes', async () => {
  const call = fc.record({ api: fc.nat(1), amount: fc.integer({ min: 0, max: 40 }) });
  const limits = fc.record({
    maxUses: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }),
    limit: fc.option(fc.integer({ min: 1, max: 120 }), { nil: undefined }),
  });
  const calls = fc.array(call, { minLength: 2, maxLength: 16 });
  const property = fc.asyncProperty(limits, calls, async ({ maxUses, limit }, made) => {
    const budget = limit === undefined ? undefined : { member: 'amount', limit };
    const { agent, mandateId } = await grant({ maxUses, budget });
    const answers = await Promise.all(made.map(({ api, amount }) => decide(apis[api]!, agent, amount)));
    const covered = answers.flatMap(({ mandate }, i) => (mandate?.use ? [{ ...mandate, ...made[i]! }] : []));
    const uses = covered.map(({ use }) => use).toSorted((a, b) => a - b);
    // No number is duplicated or missing.
    expect(uses).toEqual(uses.map((_, i) => i + 1));
    if (maxUses !== undefined) expect(uses.length).toBeLessThanOrEqual(maxUses);
    const spent = covered.reduce((sum, { amount }) => sum + amount, 0);
    if (limit !== undefined) expect(spent).toBeLessThanOrEqual(limit);
    // Calls that are not covered wait for a person; none is rejected.
    for (const { mandate, outcome } of answers) expect(outcome === 'completed').toBe(Boolean(mandate?.use));
    const { body } = await stage.get(`/mandates/${mandateId}`);
    expect(body.data).toMatchObject({ used: uses.length, spent: limit === undefined ? null : spent });
    await expectLinked(answers, stage);
  });
  await fc.assert(property, { numRuns: 25 });
}, 120_000);
