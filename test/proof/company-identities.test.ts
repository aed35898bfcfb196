import { disclose } from '@countersign/proof-kit/disclose';
import { verifyProof } from '@countersign/proof-kit/verify-proof';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { tamper } from '../checkpoints/chains.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import type { Parsed } from '../helpers/client.ts';
import { makeIdentity, makeMember, makeToken } from '../helpers/world.ts';
import { type ProofStage, proofStage } from './stage.ts';

let running: TestApp;
let stage: ProofStage;

beforeAll(async () => {
  running = await startTestApp();
  stage = await proofStage(running);
});
afterAll(() => running.close());

const ISSUER = 'https://login.example';

/** A member whom the provider of the center signed in as this subject. */
async function signedInAs(subject: string, { center } = stage) {
  const member = await makeMember(running.app, center.id);
  const identity = await makeIdentity(running.app, member.actor.id, center.id, { issuer: ISSUER, subject });
  const byPassword = member.token;
  return {
    ...member,
    identity,
    byPassword,
    token: await makeToken(running.app, member.actor.id, center.id, identity),
  };
}

/** A person who exists only through the provider, with a passkey. */
async function personOfCenter(subject: string) {
  const { db } = running.app;
  const actor = await db.acrossTenants.actor.create({
    data: { name: 'Pat', baseRole: 'ADMIN', homeCenterId: stage.center.id },
  });
  await db.acrossTenants.membership.create({
    data: { id: newId('mbr'), actorId: actor.id, centerId: stage.center.id, role: 'ADMIN', status: 'ACTIVE' },
  });
  const identity = await makeIdentity(running.app, actor.id, stage.center.id, { issuer: ISSUER, subject });
  const token = await makeToken(running.app, actor.id, stage.center.id, identity);
  return { actor, token, passkey: await stage.registerPasskey(token) };
}

const decide = (token: string, input: Record<string, unknown>, on = stage): Promise<Parsed> =>
  on.ask(
    'mutation ($input: ApproveDecisionInput!) { approveDecision(input: $input) { approvalId evidenceLevel } }',
    { input: { result: 'approved', reason: 'Fine.', ...input } },
    token,
  );
const exported = async (event: { evidence: { id: string } }, on = stage): Promise<Parsed> =>
  (await on.get(`/evidence/${event.evidence.id}/export`)).body;
const verdictOf = async (document: unknown) => {
  const { verdict, reason } = await verifyProof(JSON.stringify(document));
  return `${verdict}: ${reason}`;
};

describe('an approval in a session from a provider', () => {
  test('seals the provider in the open and the subject as a disclosure', async () => {
    const ada = await signedInAs('ada');
    const event = await stage.record();
    expect(await decide(ada.token, { eventId: event.id })).toMatchObject({ evidenceLevel: 'AUDIT_READY' });

    const document = await exported(event);
    const { content, approvals } = disclose(document.record.content, document.disclosures);
    expect(content.approvals[0]!.by).toEqual({
      kind: 'session',
      via: 'oidc',
      _sd: [expect.any(String), expect.any(String)],
    });
    const by = {
      kind: 'session',
      id: ada.actor.id,
      via: 'oidc',
      identity: { issuer: ISSUER, subject: 'ada' },
    };
    expect(approvals[0]!.by).toEqual(by);
    expect(document.evidence.approval.by).toEqual(by);
    expect(await verdictOf(document)).toMatch(/^consistent: /);

    const shown = (await stage.get(`/decision-events/${event.id}`)).body.data.approvals[0];
    expect(shown.by).toEqual({ kind: 'session', via: 'oidc' });
    const query = 'query ($id: ID!) { decisionEvent(id: $id) { approvals { by } } }';
    expect(await stage.ask(query, { id: event.id })).toEqual({ approvals: [{ by }] });
  });

  test('names no provider after a password', async () => {
    const ada = await signedInAs('by-password');
    const event = await stage.record();
    await decide(ada.byPassword, { eventId: event.id });
    expect((await exported(event)).evidence.approval.by).toEqual({ kind: 'session', id: ada.actor.id });
  });

  test('is signed with the provider by the passkey of a person of the center', async () => {
    const pat = await personOfCenter('pat');
    const event = await stage.record();
    const said = { eventId: event.id, result: 'approved', reason: 'Fine.' };
    const { approvalId, options } = await prepare(said, pat.token);
    const signed = { ...said, approvalId, assertion: pat.passkey.answer(options) };
    expect(await decide(pat.token, signed)).toMatchObject({ evidenceLevel: 'AUDIT_READY' });
    const document = await exported(event);
    expect(document.evidence.approval.by).toEqual({
      kind: 'passkey',
      id: pat.actor.id,
      via: 'oidc',
      identity: { issuer: ISSUER, subject: 'pat' },
    });
    expect(await verdictOf(document)).toMatch(/^consistent: /);
  });

  test('is refused if the passkey signed in another session than the one that sends it', async () => {
    const pat = await personOfCenter('two-ways');
    const own = await makeToken(running.app, pat.actor.id, stage.center.id);
    for (const [first, then] of [
      [pat.token, own],
      [own, pat.token],
    ] as const) {
      const event = await stage.record();
      const said = { eventId: event.id, result: 'approved', reason: 'Fine.' };
      const { approvalId, options } = await prepare(said, first);
      const sent = { ...said, approvalId, assertion: pat.passkey.answer(options) };
      expect(await decide(then, sent)).toMatchObject({ code: 'CONFLICT' });
      expect((await stage.get(`/decision-events/${event.id}`)).body.data.status).toBe('recorded');
    }
  });

  test('that rejects names the provider too', async () => {
    const ada = await signedInAs('rejecting');
    const event = await stage.record();
    await decide(ada.token, { eventId: event.id, result: 'rejected' });
    const { body: document } = await stage.get(`/decision-events/${event.id}/export`);
    expect(document.evidence.approval).toMatchObject({
      result: 'rejected',
      by: { kind: 'session', via: 'oidc', identity: { issuer: ISSUER, subject: 'rejecting' } },
    });
    expect(await verdictOf(document)).toMatch(/^consistent: /);
  });

  test('can grant a mandate, whose uses carry the proof of it', async () => {
    const ada = await signedInAs('granting');
    const agent = { id: 'refunds', type: 'ai_agent' };
    const granted = await stage.post('/mandates', {
      agent: { id: agent.id },
      actionPattern: 'refund.small',
      validUntil: new Date(Date.now() + 86_400_000).toISOString(),
      reason: 'Small refunds.',
    });
    const { eventId, mandateId } = granted.body.data;
    expect(await decide(ada.token, { eventId })).toMatchObject({ evidenceLevel: 'AUDIT_READY' });
    const used = await stage.post('/agents/decide', {
      agent: { id: agent.id },
      action: { type: 'refund.small', description: 'Refund' },
    });
    const { event } = { event: (await stage.get(`/decision-events/${used.body.data.eventId}`)).body.data };
    const document = await exported(event);
    expect(document.mandateProof.evidence.approval.by).toMatchObject({
      via: 'oidc',
      identity: { subject: 'granting' },
    });
    expect(document.evidence.mandate.id).toBe(mandateId);
    expect(await verdictOf(document)).toMatch(/^consistent: /);
  });
});

describe('two approvals by one identity', () => {
  test('are refused, also when the identity has moved to another person in between', async () => {
    const dual = await proofStage(running);
    await dual.policy({ dualApproval: true });
    const event = await dual.record();
    const ada = await signedInAs('moved', dual);
    expect(await decide(ada.token, { eventId: event.id }, dual)).toMatchObject({
      evidenceLevel: 'DOCUMENTED',
    });

    await running.app.db.acrossTenants.identity.delete({ where: { id: ada.identity.id } });
    const ben = await signedInAs('moved', dual);
    expect(ben.actor.id).not.toBe(ada.actor.id);
    const before = (await dual.get(`/decision-events/${event.id}`)).body.data;
    expect(await decide(ben.token, { eventId: event.id }, dual)).toMatchObject({ code: 'CONFLICT' });
    expect((await dual.get(`/decision-events/${event.id}`)).body.data).toEqual(before);

    const other = await signedInAs('MOVED', dual);
    expect(await decide(other.token, { eventId: event.id }, dual)).toMatchObject({
      evidenceLevel: 'AUDIT_READY',
    });
    expect(await verdictOf(await exported(event, dual))).toMatch(/^consistent: /);
  });

  test('are reported by the verification of the chain, which sees identities that documents withhold', async () => {
    const dual = await proofStage(running);
    await dual.policy({ dualApproval: true });
    const event = await dual.record();
    for (const subject of ['first', 'second'])
      await decide((await signedInAs(subject, dual)).token, { eventId: event.id }, dual);
    const differences = async () =>
      (await running.call('GET', '/dpu/verify-chain', { token: dual.token })).body.data.differences;
    expect(await differences()).toEqual([]);
    await tamper(running.database.adminUrl, [
      `UPDATE approval SET content = jsonb_set(content, '{by,identity,subject}', '"first"') WHERE event_id = $1`,
      [event.id],
    ]);
    expect(await differences()).toContainEqual(
      expect.objectContaining({ table: 'decision_event', id: event.id, chain: 'proof', member: 'identity' }),
    );
  });

  test('may be an approval and a rejection: one rejection suffices', async () => {
    const dual = await proofStage(running);
    await dual.policy({ dualApproval: true });
    const event = await dual.record();
    const ada = await signedInAs('doubting', dual);
    await decide(ada.token, { eventId: event.id }, dual);
    const rejected = await decide(ada.token, { eventId: event.id, result: 'rejected' }, dual);
    expect(rejected).toMatchObject({ approvalId: expect.any(String) });
  });
});

describe('the identity of an approver', () => {
  test('is nothing that links decisions for a reader to whom it is not disclosed', async () => {
    const ada = await signedInAs('linked-subject');
    const texts: string[] = [];
    for (let i = 0; i < 2; i++) {
      const event = await stage.record();
      await decide(ada.token, { eventId: event.id });
      const response = await running.fetch(`/verify/${event.id}/proof.json`);
      expect(response.status).toBe(200);
      const text = await response.text();
      expect(text).not.toContain('linked-subject');
      expect(text).not.toContain(ISSUER);
      texts.push(text);
    }
    const digests = texts.map((text) => new Set(approvalDigests(JSON.parse(text))));
    expect(digests[0]!.size).toBeGreaterThan(0);
    expect([...digests[0]!].filter((each) => digests[1]!.has(each))).toEqual([]);
  });

  test('can be erased alone, and the chain stays valid', async () => {
    const ada = await signedInAs('erased-subject');
    const event = await stage.record();
    await decide(ada.token, { eventId: event.id });
    const erase = `mutation ($input: EraseDecisionInput!) { eraseDecision(input: $input) { erased { path } } }`;
    const input = { eventId: event.id, fields: ['approvals.by.identity'], reason: 'asked' };
    expect(await stage.ask(erase, { input })).toEqual({ erased: [{ path: 'approvals.by.identity' }] });
    const document = await exported(event);
    expect(JSON.stringify(document)).not.toContain('erased-subject');
    expect(document.evidence.approval.by).toEqual({ kind: 'session', id: ada.actor.id, via: 'oidc' });
    expect(await verdictOf(document)).toMatch(/^partial: erased: approvals.by.identity; /);
    const rows = await running.app.db
      .forCenter(stage.center.id)
      .approval.findMany({ where: { eventId: event.id } });
    expect(JSON.stringify(rows)).not.toContain('erased-subject');
    const chain = await running.call('GET', '/dpu/verify-chain', { token: stage.token });
    expect(chain.body.data).toMatchObject({ valid: true, differences: [] });
  });
});

const approvalDigests = (document: Parsed): string[] =>
  JSON.parse(document.record.content).approvals.flatMap(({ by }: { by: { _sd: string[] } }) => by._sd);

async function prepare(input: object, token: string) {
  const prepared = await stage.ask(
    'mutation ($input: PrepareApprovalInput!) { prepareApproval(input: $input) { approvalId options } }',
    { input },
    token,
  );
  return prepared as { approvalId: string; options: { challenge: string; rpId: string } };
}
