import { verifyProof } from '@countersign/proof-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp, testApp } from '../helpers/app.ts';
import { makeActor, makeKey, makeMember, makeStage, makeToken } from '../helpers/world.ts';
import { decision } from './decisions.ts';
import { proofStage } from './stage.ts';

let house: TestApp;
beforeAll(async () => {
  house = await startTestApp();
});
afterAll(() => house.close());

const PRACTICE = `mutation { requestPractice { created event {
  id status type actor { id type } action { type description } expiresAt } } }`;
const STEPS = '{ firstSteps { steps { kind done } dismissedAt practiceEventId } }';

/** The kinds of the steps that are done. */
const done = ({ steps }: { steps: { kind: string; done: boolean }[] }) =>
  steps.filter((step) => step.done).map(({ kind }) => kind);

describe('a practice request', () => {
  test('is recorded by an ADMIN in a session only, and only one waits at a time', async () => {
    const { ask, center, key, audits } = await proofStage(house);
    const { token: instructor } = await makeMember(house.app, center.id, 'INSTRUCTOR');
    const stranger = await makeToken(house.app, (await makeActor(house.app)).id, null);
    const root = await makeActor(house.app, { platformAdmin: true });
    for (const document of [PRACTICE, STEPS, 'mutation { dismissFirstSteps { dismissedAt } }']) {
      expect((await ask(document, {}, instructor)).code).toBe('INSUFFICIENT_ROLE');
      expect((await ask(document, {}, key)).code).toBe('UNAUTHORIZED');
      expect((await ask(document, {}, stranger)).code).toBe('NO_MEMBERSHIP');
      expect((await ask(document, {}, await makeToken(house.app, root.id, null))).code).toBe('NO_MEMBERSHIP');
    }
    const made = await Promise.all(Array.from({ length: 5 }, () => ask(PRACTICE)));
    expect(made.filter(({ created }) => created)).toHaveLength(1);
    const ids = new Set(made.map(({ event }) => event.id));
    expect(ids.size).toBe(1);
    expect(made[0].event).toMatchObject({
      status: 'recorded',
      type: 'custom',
      actor: { id: 'practice', type: 'ai_agent' },
      action: { type: 'practice.request', description: expect.stringContaining('nothing is executed') },
    });
    const [id] = ids;
    expect((await audits('center.updated')).map(({ target, detail }) => [target, detail])).toEqual([
      [id, { change: 'practice request' }],
    ]);
    // Another center has its own.
    const other = await proofStage(house);
    expect(await other.ask(PRACTICE)).toMatchObject({ created: true });
    expect((await other.ask(`{ decisionEvent(id: "${id}") { id } }`)).code).toBe('NOT_FOUND');
  });

  test('is approved by the ADMIN who recorded it, proven, and followed by another', async () => {
    const { ask, approveInPerson, get, center } = await proofStage(house);
    const { event } = await ask(PRACTICE);
    expect(await ask(STEPS)).toMatchObject({ practiceEventId: event.id });
    expect(await approveInPerson(event.id)).toMatchObject({ sealedHash: expect.any(String) });
    const steps = await ask(STEPS);
    expect(done(steps)).toContain('PRACTICE');
    expect(steps.practiceEventId).toBe(event.id);
    const { text: proof } = await get(`/decision-events/${event.id}/export`);
    expect((await verifyProof(proof)).verdict).toBe('consistent');
    // Nothing tells integrators that an agent acted.
    const { db } = house.app;
    const agentEvents = { type: { startsWith: 'agent.' } };
    expect(await db.forCenter(center.id).platformEvent.count({ where: agentEvents })).toBe(0);
    const next = await ask(PRACTICE);
    expect(next.created).toBe(true);
    // One that expired unanswered does not block the next one, and does not count as practice.
    await house.superuser.query(
      `ALTER TABLE decision_event DISABLE TRIGGER USER;
       UPDATE decision_event SET expires_at = now() - interval '1 second' WHERE id = '${next.event.id}';
       ALTER TABLE decision_event ENABLE TRIGGER USER`,
    );
    expect(await ask(PRACTICE)).toMatchObject({ created: true });
  });

  test('obeys the policies of the center', async () => {
    const { ask, approveInPerson, center, policy } = await proofStage(house);
    await policy({ dualApproval: true }, 'practice.*');
    const { event } = await ask(PRACTICE);
    await approveInPerson(event.id);
    const status = async () => (await ask(`{ decisionEvent(id: "${event.id}") { status } }`)).status;
    expect(await status()).toBe('approved');
    expect(done(await ask(STEPS))).not.toContain('PRACTICE');
    const second = await makeMember(house.app, center.id, 'ADMIN');
    await approveInPerson(event.id, second.token);
    expect(await status()).toBe('sealed');
  });

  test('is no evidence that an agent acted: it has neither claim nor outcome, and no caller records one', async () => {
    const { ask, approveInPerson, post, key } = await proofStage(house);
    const { event } = await ask(PRACTICE);
    await approveInPerson(event.id);
    const { argumentsDigest } = await ask(`{ decisionEvent(id: "${event.id}") { argumentsDigest } }`);
    const OUTCOME = `mutation ($id: ID!, $input: ReportOutcomeInput!) {
      reportOutcome(eventId: $id, input: $input) { status } }`;
    const input = { status: 'executed', argumentsDigest: `sha256:${argumentsDigest}` };
    expect((await ask(OUTCOME, { id: event.id, input })).code).toBe('CONFLICT');
    const CLAIM = `mutation { claimDecision(eventId: "${event.id}") { eventId } }`;
    expect((await ask(CLAIM)).code).toBe('INSUFFICIENT_ROLE');
    expect((await ask(CLAIM, {}, key)).code).toBe('FORBIDDEN');
    expect((await ask(OUTCOME, { id: event.id, input }, key)).code).toBe('FORBIDDEN');

    for (const type of ['practice.request', 'Practice.Request', 'practice.reque\u017Ft']) {
      const action = { type, input: { amount: 1_000_000 } };
      const asAgent = await post('/agents/decide', { agent: { id: 'refund-agent' }, action });
      expect([type, asAgent.status]).toEqual([type, 422]);
      expect(JSON.stringify(asAgent.body)).toContain('reserved for practice requests');
      expect((await post('/decision-events', { ...decision, action })).status).toBe(422);
    }
  });

  test('counts against the storage quota', async () => {
    const small = await testApp({ env: { STORAGE_QUOTA_MB: '1' } });
    const { ask, center } = await proofStage(small);
    await small.app.db.pool.query(
      "INSERT INTO tally_delta (key, delta) VALUES ('storage:' || $1::text, 1048576)",
      [center.id],
    );
    expect((await ask(PRACTICE)).code).toBe('QUOTA_EXCEEDED');
  });
});

describe('first steps', () => {
  test('are done by facts, and dismissed by each ADMIN for themself', async () => {
    const { ask, center, registerPasskey, policy, token } = await proofStage(house, { settings: {} });
    const { db } = house.app;
    await db.acrossTenants.center.update({ where: { id: center.id }, data: { settings: {} } });
    await db.acrossTenants.apiKey.updateMany({
      where: { centerId: center.id },
      data: { revokedAt: new Date() },
    });
    const steps = () => ask(STEPS);
    expect(await steps()).toEqual({
      steps: ['TIME_ZONE', 'PASSKEY', 'SECOND_ADMIN', 'POLICY', 'AGENT_KEY', 'PRACTICE'].map((kind) => ({
        kind,
        done: false,
      })),
      dismissedAt: null,
      practiceEventId: null,
    });
    // UTC can be chosen, too.
    await ask('mutation { updateCenter(input: { timezone: "UTC" }) { id } }');
    await registerPasskey();
    const second = await makeMember(house.app, center.id, 'ADMIN');
    await policy({ dualApproval: true });
    await makeKey(house.app, center.id, ['proof:read']);
    expect(done(await steps())).toEqual(['TIME_ZONE', 'PASSKEY', 'SECOND_ADMIN', 'POLICY']);
    await makeKey(house.app, center.id, ['proof:request']);
    expect(done(await steps())).toContain('AGENT_KEY');
    expect(done(await ask(STEPS, {}, second.token))).not.toContain('PASSKEY');

    await db.acrossTenants.membership.update({
      where: { id: second.membership.id },
      data: { status: 'SUSPENDED' },
    });
    expect(done(await steps())).not.toContain('SECOND_ADMIN');
    const dismissed = await ask('mutation { dismissFirstSteps { dismissedAt } }');
    expect(dismissed).toEqual({ dismissedAt: expect.any(String) });
    expect(await ask('mutation { dismissFirstSteps { dismissedAt } }')).toEqual(dismissed);
    const third = await makeMember(house.app, center.id, 'ADMIN');
    expect(await ask(STEPS, {}, third.token)).toMatchObject({ dismissedAt: null });
    // The rest of the API shows the default time zone of a center that has not chosen one.
    const fresh = await makeStage(house.app);
    await db.acrossTenants.center.update({ where: { id: fresh.center.id }, data: { settings: {} } });
    const seen = await ask('{ centers { id settings } }', {}, token);
    expect(seen.find(({ id }: { id: number }) => id === center.id).settings).toMatchObject({
      timezone: 'UTC',
    });
    const untouched = await ask('{ centers { settings } }', {}, fresh.token);
    expect(untouched[0].settings).toEqual({ timezone: 'UTC' });
  });
});
