// Which API keys may use a mandate.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiKey, revokeApiKey } from '../../src/domain/api-keys/keys.ts';
import { systemContext } from '../../src/domain/context.ts';
import { NOT_USED } from '../../src/domain/decisions/mandates/not-used.ts';
import type { KeyScope } from '../../src/domain/principal.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { runAs } from '../helpers/server.ts';
import { makeKey } from '../helpers/world.ts';
import { type McpStage, mcpStage } from '../mcp/mcp-stage.ts';

let running: TestApp;
let stage: McpStage;
beforeAll(async () => {
  running = await startTestApp();
  stage = await mcpStage(running);
});
afterAll(() => running.close());

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
let agents = 0;
const newAgent = () => `agent-${++agents}`;
const newKey = (...scopes: KeyScope[]) => makeKey(running.app, stage.center.id, scopes);

const termsFor = (agent: string, more: object = {}) => ({
  agent: { id: agent },
  actionPattern: 'refund.*',
  budget: { member: 'amount', limit: 100 },
  validUntil: inDays(7),
  reason: 'Small refunds need no person.',
  ...more,
});
const request = (agent: string, more: object = {}) => stage.post('/mandates', termsFor(agent, more));

async function grant(agent: string, more: object = {}): Promise<{ mandateId: string; eventId: string }> {
  const { body } = await request(agent, more);
  expect(await stage.approveInPerson(body.data.eventId)).toHaveProperty('sealedHash');
  return body.data;
}

const refundOf = (agent: string, more: object = {}) => ({
  agent: { id: agent },
  action: { type: 'refund.grant', input: { amount: 10 } },
  riskScore: 0.95,
  ...more,
});
const ask = async (token: string, agent: string) =>
  (await running.call('POST', '/v1/agents/decide', { token, body: refundOf(agent) })).body.data;
const read = async (id: string) => (await stage.get(`/mandates/${id}`)).body.data;

describe('a mandate', () => {
  test("is not used by another system's key that knows the id of the agent", async () => {
    const agent = newAgent();
    const { mandateId } = await grant(agent);
    for (const stranger of [await newKey('proof:request'), await newKey('proof:write')]) {
      const answer = await ask(stranger, agent);
      expect(answer.outcome).toBe('awaiting_approval');
      expect(answer).not.toHaveProperty('mandate');
    }
    expect(await read(mandateId)).toMatchObject({ used: 0, spent: 0 });
    expect(await ask(stage.key, agent)).toMatchObject({ outcome: 'completed', mandate: { use: 1 } });
  });

  test('keeps all its uses for its own key while another one sends the same calls', async () => {
    const agent = newAgent();
    const { mandateId } = await grant(agent, { maxUses: 3 });
    const stranger = await newKey('proof:write');
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => ask(i % 2 === 0 ? stranger : stage.key, agent)),
    );
    const completed = answers.flatMap(({ outcome }, i) => (outcome === 'completed' ? [i % 2] : []));
    expect(completed).toEqual([1, 1, 1]);
    expect(await read(mandateId)).toMatchObject({ status: 'exhausted', used: 3 });
  });

  test('is used by the keys that its terms name, and by no other, not even the one that asked', async () => {
    const agent = newAgent();
    const [first, second] = [await newKey('proof:request'), await newKey('proof:write')];
    const keys = [await stage.keyId(first), await stage.keyId(second)];
    const { mandateId, eventId } = await grant(agent, { keys });
    expect((await read(mandateId)).keys).toEqual(keys);
    const { action } = (await stage.get(`/decision-events/${eventId}`)).body.data;
    expect(action.input.keys).toEqual(keys);
    expect((await ask(first, agent)).mandate.use).toBe(1);
    expect((await ask(second, agent)).mandate.use).toBe(2);
    expect((await ask(stage.key, agent)).outcome).toBe('awaiting_approval');
    const { data } = await running.graphql(
      'query ($id: ID!) { mandate(id: $id) { keys } }',
      { id: mandateId },
      stage.token,
    );
    expect(data.mandate.keys).toEqual(keys);
  });

  test('of one key does not hide that of another, however many there are', async () => {
    const agent = newAgent();
    const other = await stage.keyId(await newKey('proof:request'));
    for (let i = 0; i < 21; i++) await grant(agent, { keys: [other] });
    const { mandateId } = await grant(agent);
    expect((await ask(stage.key, agent)).mandate.id).toBe(mandateId);
  });

  test('is bound over MCP as well', async () => {
    const agent = newAgent();
    const own = await newKey('proof:write');
    const keys = [await stage.keyId(own)];
    const requested = await stage.tool('request_mandate', termsFor(agent, { keys }));
    await stage.approveInPerson(requested.structuredContent.eventId);
    const listed = await stage.tool('list_mandates', { limit: 1 });
    expect(listed.structuredContent.data).toMatchObject([{ status: 'active', keys }]);
    const stranger = await stage.tool('request_decision', refundOf(agent));
    expect(stranger).not.toHaveProperty('structuredContent.mandate');
    expect(JSON.stringify(stranger)).not.toContain('mandate');
    const { structuredContent } = await stage.tool('request_decision', refundOf(agent), own);
    expect(structuredContent).toMatchObject({ outcome: 'completed', mandate: { use: 1 } });
    const costly = { action: { type: 'refund.grant', input: { amount: 1_000 } } };
    const refused = await stage.tool('request_decision', refundOf(agent, costly), own);
    expect(refused.statusMessage).toContain(requested.structuredContent.mandateId);
    expect(refused.statusMessage).toContain(NOT_USED.no_budget_left);
  });
});

describe('a request names keys', () => {
  const ctx = () => systemContext(running.app, 'test', stage.center.id);
  const create = async (expiresAt: Date | null) =>
    (await createApiKey(ctx(), { name: 'k', scopes: ['proof:write'], expiresAt })).apiKey.id;
  const refused = async (keys: unknown) => {
    const { status, body } = await request(newAgent(), { keys });
    expect(status).toBe(422);
    return body.error.details.fields[0];
  };

  test('of its own center that are in force', async () => {
    const stranger = await mcpStage(running);
    const revoked = await create(null);
    await revokeApiKey(ctx(), revoked);
    const expired = await create(new Date(Date.now() + 60_000));
    await running.app.db.acrossTenants.apiKey.update({
      where: { id: expired },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    const ids = ['key_unknown', await stranger.keyId(), revoked, expired];
    const refusals = await Promise.all(ids.map(async (id) => refused([await stage.keyId(), id])));
    // A key of another center gets the same answer as one that never existed.
    expect(new Set(refusals.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(refusals[0]).toMatchObject({ path: 'keys.1' });
  });

  test('between one and ten', async () => {
    expect((await refused([])).path).toBe('keys');
    const own = await stage.keyId();
    expect((await refused(Array(11).fill(own))).path).toBe('keys');
    expect((await refused('all')).path).toBe('keys');
    expect((await refused([7])).path).toBe('keys.0');
    const { body } = await request(newAgent(), { keys: [own, own] });
    expect((await read(body.data.mandateId)).keys).toEqual([own]);
  });

  test('itself if a person asks', async () => {
    const REQUEST = 'mutation ($input: RequestMandateInput!) { requestMandate(input: $input) { mandateId } }';
    const fields = await running.graphql(REQUEST, { input: termsFor(newAgent()) }, stage.token);
    expect(fields.errors![0]!.extensions).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(fields.errors![0]!.message).toContain('keys');
    const stranger = await mcpStage(running);
    const input = termsFor(newAgent(), { keys: [await stranger.keyId()] });
    expect(await stage.ask(REQUEST, { input })).toMatchObject({ code: 'VALIDATION_ERROR' });
    const own = termsFor(newAgent(), { keys: [await stage.keyId()] });
    expect(await stage.ask(REQUEST, { input: own })).toHaveProperty('mandateId');
  });
});

test('verify-chain finds keys that were changed in the row, and a use by a key that the sealed terms do not name', async () => {
  const { approveInPerson, center, keyId, key, token, post } = await mcpStage(running);
  const other = await makeKey(running.app, center.id, ['proof:request']);
  const agent = newAgent();
  const { eventId } = (await post('/mandates', termsFor(agent))).body.data;
  await approveInPerson(eventId);
  const setKeys = (keys: string[]) =>
    runAs(
      running.database.adminUrl,
      `SET session_replication_role = replica; UPDATE decision_event SET large = json_build_object('action.input',
         jsonb_set((large -> 'action.input')::jsonb, '{keys}', '${JSON.stringify(keys)}')) WHERE id = '${eventId}'`,
    );
  const verify = async () => {
    const { data } = await running.graphql(
      '{ verifyChain { valid differences { table id chain member } } }',
      {},
      token,
    );
    return data.verifyChain;
  };
  expect(await verify()).toEqual({ valid: true, differences: [] });
  const own = await keyId(key);
  await setKeys([own, await keyId(other)]);
  const { eventId: usedId, mandate } = await ask(other, agent);
  expect(mandate.use).toBe(1);
  expect((await verify()).differences).toEqual([
    { table: 'decision_event', id: eventId, chain: 'journal', member: 'action.input' },
  ]);
  await setKeys([own]);
  expect(await verify()).toEqual({
    valid: false,
    differences: [{ table: 'decision_event', id: usedId, chain: 'proof', member: 'mandate' }],
  });
});
