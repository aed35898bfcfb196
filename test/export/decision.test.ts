import { type ProofDocument, parseVerifierKey, verifyProof } from '@countersign/proof-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiKey } from '../../src/domain/api-keys/keys.ts';
import { updateCenter } from '../../src/domain/centers/update.ts';
import { rejectBySystem } from '../../src/domain/decisions/approve/system-rejection.ts';
import { createPolicy, updatePolicy } from '../../src/domain/policies/edit.ts';
import type { CreatePolicyInput } from '../../src/domain/policies/policy-input.ts';
import { tamper } from '../checkpoints/chains.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeStage } from '../helpers/world.ts';
import { type ProofStage, proofStage } from '../proof/stage.ts';
import { asSystem } from './world.ts';

let running: TestApp;
let stage: ProofStage;
beforeAll(async () => {
  running = await startTestApp({ env: { PUBLIC_URL: 'https://proof.example' } });
  stage = await proofStage(running);
});
afterAll(() => running.close());

const exportOf = (id: string) => stage.get(`/decision-events/${id}/export`);

async function lineOf(document: ProofDocument): Promise<string> {
  const { keys } = (await (await running.fetch('/.well-known/countersign-keys.json')).json()) as {
    keys: { vkey: string }[];
  };
  const trust = { keys: keys.map(({ vkey }) => parseVerifierKey(vkey)) };
  const { verdict, reason } = await verifyProof(JSON.stringify(document), trust);
  return `${verdict}: ${reason}`;
}

test('the export of a sealed decision equals the export of its evidence', async () => {
  const { id, evidence } = await stage.record();
  await stage.approve(id);
  // The first export signs unsigned records, and the log grows.
  await exportOf(id);
  const { status, body, headers } = await exportOf(id);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toMatch(/^application\/ld\+json/);
  const other = (await stage.get(`/evidence/${evidence.id}/export`)).body;
  expect(body).toEqual({ ...other, exportedAt: body.exportedAt });
  expect(await lineOf(body)).toMatch(/^proven: sealed at .*; signed by proof\.example\+/);
});

test('a rejected decision is proven from the journal, with the reason of its rejection', async () => {
  const { id, evidence } = await stage.record();
  expect((await stage.approve(id, { result: 'rejected', reason: 'Too much.' })).status).toBe(200);
  const { status, body } = await exportOf(id);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    kind: 'rejection',
    format: 'countersign/4',
    evidence: {
      id: evidence.id,
      status: 'rejected',
      evidenceLevel: 'DOCUMENTED',
      event: { id },
      approval: { approver: { id: 'boss', name: 'The boss' }, result: 'rejected', reason: 'Too much.' },
      chain: { domain: 'journal' },
    },
    verification: { chainDomain: 'journal', verifyUrl: `https://proof.example/verify/${id}` },
  });
  expect(body.inclusion.checkpoint).toMatch(
    new RegExp(`^proof\\.example/chains/${stage.center.id}/journal\n`),
  );
  expect(await lineOf(body)).toMatch(
    /^proven: rejected by 1 person \(\w+( key)?\) at 20.*; named "The boss"$/,
  );

  const forged = JSON.parse(JSON.stringify(body));
  forged.evidence.approval.reason = 'Fine.';
  expect(await lineOf(forged)).toMatch(/^refuted: /);
});

test('the proof of a withdrawn or expired decision names the service and the reason', async () => {
  const ask = async (more: object = {}) =>
    (
      await stage.post('/agents/decide', {
        agent: { id: 'refund-agent' },
        action: { type: 'refund.grant', input: { amount: 4900 } },
        riskScore: 0.95,
        ...more,
      })
    ).body.data.eventId as string;
  const withdrawn = await ask();
  const WITHDRAW = 'mutation ($id: ID!) { withdrawDecision(eventId: $id) { status } }';
  await running.graphql(WITHDRAW, { id: withdrawn }, stage.token);
  expect(await lineOf((await exportOf(withdrawn)).body)).toMatch(
    /^proven: rejected by the service at 20.*; reason "withdrawn"$/,
  );
  const expired = await ask({ expiresInSeconds: 600 });
  await rejectBySystem(asSystem(running.app, stage.center.id), expired, 'expired');
  expect(await lineOf((await exportOf(expired)).body)).toMatch(
    /^proven: rejected by the service at 20.*; reason "expired"$/,
  );
});

test('a pending decision returns 409; an unknown one, or one of another center or key, returns 404', async () => {
  const { id } = await stage.record();
  const waiting = await exportOf(id);
  expect([waiting.status, waiting.body.error.code]).toEqual([409, 'CONFLICT']);
  await stage.approve(id, { result: 'rejected' });
  const as = async (token: string, path = id) =>
    (await running.call('GET', `/v1/decision-events/${path}/export`, { token })).status;
  const keyWith = async (scope: 'proof:read' | 'proof:request') =>
    (await createApiKey(asSystem(running.app, stage.center.id), { name: 'k', scopes: [scope] })).plaintext;
  expect(await as(stage.key, 'evt_none')).toBe(404);
  expect(await as((await makeStage(running.app)).key)).toBe(404);
  expect(await as(await keyWith('proof:read'))).toBe(200);
  const asking = await keyWith('proof:request');
  expect(await as(asking)).toBe(404);
  const body = { agent: { id: 'a' }, action: { type: 'refund.grant' }, riskScore: 0.1 };
  const own = await running.call('POST', '/v1/agents/decide', { token: asking, body });
  expect(await as(asking, own.body.data.eventId)).toBe(200);
});

test('a rejection whose stored values were changed is not exported', async () => {
  const { id } = await stage.record();
  await stage.approve(id, { result: 'rejected', reason: 'No.' });
  await tamper(running.database.adminUrl, [
    `UPDATE approval SET content = content || '{"reason": "Yes."}' WHERE event_id = $1`,
    [id],
  ]);
  const { status, body } = await exportOf(id);
  expect([status, body.error.code]).toEqual([422, 'CHAIN_BROKEN']);
});

test('the export has the policies that were considered, even if policies and center changed later', async () => {
  const system = () => asSystem(running.app, stage.center.id);
  await updateCenter(system(), { country: 'FR' });
  const make = (
    place: Pick<CreatePolicyInput, 'scope' | 'country'>,
    name: string,
    guards: CreatePolicyInput['guards'],
    actionPattern = 'loan.*',
  ) => createPolicy(system(), { ...place, name, actionPattern, guards });
  await make({ scope: 'COUNTRY', country: 'FR' }, 'Country', { riskRequired: true });
  const own = await make({ scope: 'CENTER' }, 'Own', { dualApproval: true });
  await make({ scope: 'CENTER' }, 'Other action', { dualApproval: true }, 'rent.*');
  const { id } = await stage.record({ action: { type: 'loan.grant' } });
  await stage.approve(id, { approver: { id: 'a', type: 'human' } });
  expect((await stage.approve(id, { approver: { id: 'b', type: 'human' } })).body.data.sealedAt).toBeTruthy();
  await updatePolicy(system(), { id: own.id, guards: { dualApproval: false } });
  await updateCenter(system(), { country: 'DE' });

  const document = (await exportOf(id)).body;
  const { considered, journals } = document.evidence.policy;
  expect(considered).toEqual(
    considered.toSorted((a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)),
  );
  expect(considered).toHaveLength(3);
  const origin = (chain: string) => `proof.example/chains/${chain}/journal`;
  expect(journals).toEqual(
    [origin('0'), origin(`${stage.center.id}`)].map((of) => ({ origin: of, size: expect.any(Number) })),
  );
  const said = document.policies.map(({ record }: { record: { content: string } }) =>
    JSON.parse(record.content),
  );
  expect(said.map(({ name, version }: { name: string; version: number }) => [name, version])).toEqual([
    ['Baseline', 1],
    ['Country', 1],
    ['Own', 1],
  ]);
  for (const { inclusion, head } of document.policies) expect(inclusion && head).toBeTruthy();
  expect(await lineOf(document)).toMatch(/^proven: /);

  const less = { ...document, policies: document.policies.slice(0, 2) };
  expect(await lineOf(less)).toMatch(/^partial: missing: policy/);
  const without = { ...document, policies: document.policies.toSpliced(1, 1) };
  expect(await lineOf(without)).toMatch(/^partial: missing: policy/);
  // A later version does not take the place of the one that was considered.
  const other = await stage.record({ action: { type: 'loan.grant' } });
  await stage.approve(other.id);
  const newer = (await exportOf(other.id)).body.policies.at(-1);
  const exchanged = { ...document, policies: document.policies.toSpliced(2, 1, newer) };
  expect(await lineOf(exchanged)).toMatch(/^refuted: policies\[2\] (was not considered|is newer than)/);
});

test('members erased from a rejection are listed with their journal entry', async () => {
  const { id } = await stage.record();
  await stage.approve(id, { result: 'rejected', reason: 'No.' });
  const ERASE = 'mutation ($input: EraseDecisionInput!) { eraseDecision(input: $input) { status } }';
  const input = { eventId: id, fields: ['action.input', 'approvals.reason'], reason: 'asked to' };
  expect((await running.graphql(ERASE, { input }, stage.token)).errors).toBeUndefined();
  const { body } = await exportOf(id);
  expect(body.erased).toMatchObject([
    { path: 'action.input', reason: 'asked to', by: { kind: 'session' }, journal: { inclusion: {} } },
    { path: 'approvals.reason', reason: 'asked to', by: { kind: 'session' }, journal: { inclusion: {} } },
  ]);
  expect(await lineOf(body)).toMatch(/^partial: erased: action\.input, approvals\.reason; erased by /);
});
