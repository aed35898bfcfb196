/** The names that a decision card needs: of keys, people, policies, and of what a center calls its actions. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiKey } from '../../src/domain/api-keys/keys.ts';
import { systemContext } from '../../src/domain/context.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { type ProofStage, proofStage } from './stage.ts';

let running: TestApp;
let stage: ProofStage;
let keyName: string;
beforeAll(async () => {
  running = await startTestApp();
  stage = await proofStage(running);
  const id = await stage.keyId();
  keyName = (await running.app.db.forCenter(stage.center.id).apiKey.findUniqueOrThrow({ where: { id } }))
    .name;
});
afterAll(() => running.close());

const CARD = `query ($id: ID!) { decisionEvent(id: $id) {
  requestedBy { kind id name }
  action { words { type label members { path label unit } } mandateKeys { id name } }
  guards { guard policyId policyName version }
  mandateUse { id use spent }
  approvals { assertedBy }
  outcome { by { kind name } output }
} }`;
const SAVE = 'mutation ($input: UpdateCenterInput!) { updateCenter(input: $input) { settings } }';
const SETTINGS = 'query ($id: ID) { center(id: $id) { settings } }';
const save = (actionTypes: unknown, token = stage.token) =>
  stage.ask(SAVE, { input: { actionTypes } }, token);

const amount = { path: 'amount', label: 'Amount', unit: 'EUR' };
const refund = { type: 'refund.grant', label: 'Refund', members: [amount] };

const requested = async () => {
  const { body } = await stage.post('/agents/decide', {
    agent: { id: 'refund-agent' },
    action: { type: 'Refund.Grant', input: { amount: 420 } },
    riskScore: 0.95,
  });
  return body.data as { eventId: string; argumentsDigest: string };
};

test('a decision names its key, its policy, the key that asserted the approval, and its outcome', async () => {
  const { id: policyId } = await stage.policy({ dualApproval: true }, 'refund.grant');
  expect(await save([refund])).toMatchObject({ settings: { actionTypes: [refund] } });
  const { eventId, argumentsDigest } = await requested();
  const open = await stage.ask(CARD, { id: eventId });
  expect(open).toMatchObject({
    requestedBy: { kind: 'api_key', id: await stage.keyId(), name: keyName },
    action: { words: { ...refund, members: [amount] }, mandateKeys: [] },
    mandateUse: null,
    outcome: null,
  });
  const policy = { guard: 'dual_approval', policyId, policyName: 'Strict', version: 1 };
  expect(open.guards).toContainEqual(policy);
  await stage.approve(eventId);
  expect((await stage.approve(eventId, { approver: { id: 'second', type: 'human' } })).status).toBe(200);
  const report = { status: 'executed', argumentsDigest, output: { refundId: 'r-1' } };
  expect((await stage.post(`/decision-events/${eventId}/outcome`, report)).status).toBe(201);
  const sealed = await stage.ask(CARD, { id: eventId });
  expect(sealed).toMatchObject({
    approvals: [{ assertedBy: keyName }, { assertedBy: keyName }],
    outcome: { by: { kind: 'api_key', name: keyName }, output: { refundId: 'r-1' } },
  });
  expect(sealed.guards).toContainEqual(policy);
});

test('the request for a mandate names the keys that may use it, and a use names the mandate', async () => {
  const validUntil = new Date(Date.now() + 86_400_000).toISOString();
  const terms = { agent: { id: 'stock-agent' }, actionPattern: 'stock.*', validUntil, reason: 'Routine' };
  const { body } = await stage.post('/mandates', { ...terms, budget: { member: 'n', limit: 9 } });
  const { eventId, mandateId } = body.data;
  const grant = await stage.ask(CARD, { id: eventId });
  expect(grant.action.mandateKeys).toEqual([{ id: await stage.keyId(), name: keyName }]);
  expect(await stage.approveInPerson(eventId)).toHaveProperty('sealedHash');
  const { data } = (
    await stage.post('/agents/decide', {
      agent: { id: 'stock-agent' },
      action: { type: 'stock.move', input: { n: 4 } },
    })
  ).body;
  expect((await stage.ask(CARD, { id: data.eventId })).mandateUse).toEqual({
    id: mandateId,
    use: 1,
    spent: 4,
  });
});

test('a key that may only request decisions learns no name but its own', async () => {
  const ctx = systemContext(running.app, 'test', stage.center.id);
  const make = (name: string) => createApiKey(ctx, { name, scopes: ['proof:request'] });
  const { plaintext } = await make('Narrow');
  const body = { ...{ agent: { id: 'a' }, action: { type: 'narrow.act' } }, riskScore: 0.95 };
  const own = await running.call('POST', '/v1/agents/decide', { token: plaintext, body });
  const id = own.body.data.eventId;
  await stage.approve(id);
  const seen = await stage.ask(CARD, { id }, plaintext);
  expect([seen.requestedBy.name, seen.approvals]).toEqual(['Narrow', [{ assertedBy: null }]]);
  expect((await stage.ask(CARD, { id })).approvals).toEqual([{ assertedBy: keyName }]);
});

describe('action types of a center', () => {
  test.each([
    ['a blank label', [{ ...refund, label: ' ' }], 'actionTypes.0.label'],
    ['an invisible character', [{ ...refund, label: 'Re\u202efund' }], 'actionTypes.0.label'],
    ['a type that is not one', [{ ...refund, type: 'refund\u200b.grant' }], 'actionTypes.0.type'],
    ['a repeated type in another case', [refund, { ...refund, type: 'REFUND.grant' }], 'actionTypes.1.type'],
    [
      'a path with a gap',
      [{ ...refund, members: [{ ...amount, path: 'a..b' }] }],
      'actionTypes.0.members.0.path',
    ],
    ['a repeated path', [{ ...refund, members: [amount, amount] }], 'actionTypes.0.members.1.path'],
    [
      'a long unit',
      [{ ...refund, members: [{ ...amount, unit: 'x'.repeat(21) }] }],
      'actionTypes.0.members.0.unit',
    ],
    ['too many types', Array.from({ length: 101 }, (_, i) => ({ ...refund, type: `t${i}` })), 'actionTypes'],
  ])('with %s are refused, and nothing changes', async (_, actionTypes, path) => {
    const refused = await save(actionTypes);
    expect([refused.code, refused.fields[0].path]).toEqual(['VALIDATION_ERROR', `input.${path}`]);
    const { settings } = await stage.ask(SETTINGS, { id: String(stage.center.id) });
    expect(settings.actionTypes).toEqual([refund]);
  });

  test('belong to their center, and only an ADMIN changes them, with an audit entry', async () => {
    const stranger = await proofStage(running);
    await stranger.ask(SAVE, { input: { actionTypes: [{ ...refund, label: 'Theirs' }] } }, stranger.token);
    const { eventId } = await requested();
    expect((await stage.ask(CARD, { id: eventId })).action.words.label).toBe('Refund');
    expect(await stage.ask(CARD, { id: eventId }, stranger.token)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await save([], stage.key)).toMatchObject({ code: 'UNAUTHORIZED' });
    await save([]);
    const [entry] = (await stage.audits('center.updated')).slice(-1);
    expect(entry!.detail).toEqual({ from: { actionTypes: [refund] }, to: { actionTypes: [] } });
    expect((await stage.ask(CARD, { id: eventId })).action.words).toBeNull();
  });
});
