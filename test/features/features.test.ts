import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemContext } from '../../src/domain/context.ts';
import { transact } from '../../src/domain/unit-of-work.ts';
import { runSchedules } from '../../src/domain/workflows/run-schedules.ts';
import { startEventWorkflows } from '../../src/domain/workflows/start-event-workflows.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import {
  makeKey,
  makeMember,
  makeMembership,
  makePartner,
  makeSubscription,
  makeToken,
} from '../helpers/world.ts';
import { send } from '../mcp/clients.ts';
import { makeWorkflow, text } from '../workflows/steps.ts';

const decision = { type: 'custom', actor: { id: 'a', type: 'system' }, action: { type: 'test.run' } };

/** The result of each surface for one center: its error code, or null if admitted. */
async function surfaces(
  running: TestApp,
  { token, key, domain }: Record<'token' | 'key' | 'domain', string>,
) {
  const { call, graphql, url } = running;
  const rest = async (method: string, path: string, by: string, body?: unknown) => {
    const answer = await call(method, path, { token: by, body });
    return answer.status < 400 ? null : `${answer.status} ${answer.body.error.code}`;
  };
  const query = async (text: string, by = token) => {
    const { errors } = await graphql(text, {}, by);
    return errors?.[0]?.extensions.code ?? null;
  };
  const tool = async (name: string, args: object) => {
    const { body } = await send(url, key, 'tools/call', { name, arguments: args });
    return body.result.isError ? JSON.parse(body.result.content[1].text).error.code : null;
  };
  return {
    booking: [
      await rest('GET', '/bookings', token),
      await rest('GET', `/centers/${domain}/available-slots`, token),
      await query('{ bookings(first: 1) { edges { node { id } } } }'),
    ],
    workflows: [
      await rest('GET', '/workflows', token),
      await query('{ workflows(first: 1) { edges { node { id } } } }'),
      await query('{ node(id: "wf_01k9zq2m0000000000000000w1") { id } }'),
    ],
    webhooks: [
      await rest('GET', '/v1/webhooks', key),
      await rest('POST', '/v1/webhooks', key, { url: 'https://example.org/hook', events: ['*'] }),
      await query('{ webhooks(first: 1) { edges { node { id } } } }'),
    ],
    proofApi: [
      await rest('POST', '/v1/decision-events', key, decision),
      await query('{ decisionEvents(first: 1) { edges { node { id } } } }', key),
      await tool('list_decisions', {}),
      await query('{ apiKeys(first: 1) { edges { node { id } } } }'),
    ],
  };
}

const ON = {
  booking: [null, null, null],
  workflows: [null, null, null],
  webhooks: [null, null, null],
  proofApi: [null, null, null, null],
};

async function stageIn(running: TestApp, planId: string) {
  const { app } = running;
  const partner = await makePartner(app);
  const center = partner.centers[0]!;
  await makeSubscription(app, center.id, { planId });
  const admin = await makeMember(app, center.id);
  const key = await makeKey(app, center.id);
  const set = async (features: Record<string, boolean>) => {
    const { status } = await running.call('PATCH', '/partner/settings', {
      token: partner.token,
      body: { features },
    });
    expect(status).toBe(200);
  };
  const seen = () => surfaces(running, { token: admin.token, key, domain: center.centerDomain });
  return { partner, center, admin, key, set, seen };
}

describe('features that a partner switches off', () => {
  let running: TestApp;
  beforeAll(async () => {
    running = await startTestApp();
  });
  afterAll(() => running.close());

  test('are rejected immediately on every surface, only in the centers of that partner, until enabled again', async () => {
    const mine = await stageIn(running, 'center-starter');
    const theirs = await stageIn(running, 'center-starter');
    // By default a plan rejects nothing.
    expect(await mine.seen()).toEqual(ON);
    await mine.set({ booking: false, workflows: false, webhooks: false });
    const [rest, plain] = ['403 FEATURE_DISABLED', 'FEATURE_DISABLED'];
    expect(await mine.seen()).toEqual({
      ...ON,
      booking: [rest, rest, plain],
      workflows: [rest, plain, plain],
      webhooks: [rest, rest, plain],
    });
    await mine.set({ booking: true, workflows: true, webhooks: true, proofApi: false });
    expect(await mine.seen()).toEqual({
      ...ON,
      webhooks: [rest, rest, null],
      proofApi: [rest, plain, plain, plain],
    });
    expect(await theirs.seen()).toEqual(ON);
    await mine.set({ proofApi: true });
    expect(await mine.seen()).toEqual(ON);
  });

  test('available slots of such a center are rejected, whichever center the member is signed in to', async () => {
    const { set, admin, center } = await stageIn(running, 'center-growth');
    const elsewhere = await stageIn(running, 'center-growth');
    await makeMembership(running.app, admin.actor.id, elsewhere.center.id);
    const token = await makeToken(running.app, admin.actor.id, elsewhere.center.id);
    const slots = async () =>
      (await running.call('GET', `/centers/${center.centerDomain}/available-slots`, { token })).status;
    expect(await slots()).toBe(200);
    await set({ booking: false });
    expect(await slots()).toBe(403);
  });

  test('workflows of such a center are started neither by schedule nor by event', async () => {
    const { set, admin, center } = await stageIn(running, 'center-growth');
    const { app } = running;
    const make = (more: object) => makeWorkflow(running, admin.token, [text('a')], { ...more });
    const due = await make({ type: 'SCHEDULED', cron: '* * * * *', timezone: 'UTC' });
    await make({ type: 'EVENT', eventPattern: 'dpu.*' });
    const runs = () => app.db.forCenter(center.id).workflowExecution.count();
    const happen = async () => {
      const nextRunAt = new Date(Date.now() - 120_000);
      await app.db.acrossTenants.workflow.update({ where: { id: due }, data: { nextRunAt } });
      await runSchedules(app);
      const data = { dpuId: 'dpu_x', chainHash: 'a'.repeat(64), domain: 'platform', actorId: 'x' };
      await transact(systemContext(app, 'test', center.id), async (work) => work.emit('dpu.sealed', data));
      const event = await app.db.forCenter(center.id).platformEvent.findFirstOrThrow({
        where: { type: 'dpu.sealed' },
        orderBy: { id: 'desc' },
      });
      await startEventWorkflows(app, event.id, []);
    };
    await set({ workflows: false });
    await happen();
    expect(await runs()).toBe(0);
    await set({ workflows: true });
    await happen();
    expect(await runs()).toBe(2);
  });

  test('an API key of a center without Proof API can still be revoked', async () => {
    const { set, admin, center } = await stageIn(running, 'center-growth');
    await set({ proofApi: false });
    const key = await running.app.db.forCenter(center.id).apiKey.findFirstOrThrow();
    const { data, errors } = await running.graphql(
      'mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { revokedAt } }',
      { id: key.id },
      admin.token,
    );
    expect(errors).toBeUndefined();
    expect(data.revokeApiKey.revokedAt).not.toBeNull();
  });

  test('public proof pages of a center return 404 without their feature', async () => {
    const { set, admin, key } = await stageIn(running, 'center-growth');
    const made = await running.call('POST', '/v1/decision-events', { token: key, body: decision });
    const approver = { id: 'p', type: 'human', name: 'P' };
    const body = { approver, result: 'approved', reason: 'fine' };
    const path = `/v1/decision-events/${made.body.data.id}/approvals`;
    expect((await running.call('POST', path, { token: key, body })).status).toBe(200);
    const page = async () => (await running.fetch(`/verify/${made.body.data.id}`)).status;
    expect(await page()).toBe(200);
    await set({ proofPage: false });
    expect(await page()).toBe(404);
    const { errors } = await running.graphql(
      'mutation { updateCenter(input: { proof: { enabled: true } }) { id } }',
      {},
      admin.token,
    );
    expect(errors?.[0]?.extensions.code).toBe('FEATURE_DISABLED');
  });
});

describe('with ENFORCE_PLAN_FEATURES=1', () => {
  let running: TestApp;
  beforeAll(async () => {
    running = await startTestApp({ env: { ENFORCE_PLAN_FEATURES: '1' } });
  });
  afterAll(() => running.close());

  const CHANGE = `mutation ($input: ChangePlanInput!) {
    changePlan(input: $input) { planName features { id enabled neededPlan } } }`;

  test('a feature outside the plan is rejected naming the needed plan; a plan change applies immediately', async () => {
    const { seen, center, partner, admin, key } = await stageIn(running, 'center-starter');
    const [rest, plain] = ['403 FEATURE_DISABLED', 'FEATURE_DISABLED'];
    expect(await seen()).toEqual({
      ...ON,
      workflows: [rest, plain, plain],
      webhooks: [rest, rest, plain],
      proofApi: [rest, plain, plain, plain],
    });
    const refused = await running.call('GET', '/v1/webhooks', { token: key });
    expect(refused.body.error).toMatchObject({
      message: 'The Starter plan does not include the feature “Proof API”. The Growth plan does.',
      details: { feature: 'proofApi', reason: 'PLAN', planId: 'center-growth', planName: 'Growth' },
    });
    const before = await running.graphql('{ me { features { id enabled neededPlan } } }', {}, admin.token);
    expect(before.data.me.features).toContainEqual({ id: 'workflows', enabled: false, neededPlan: 'Growth' });

    const stranger = await makePartner(running.app);
    const input = { centerId: center.id, planId: 'center-growth' };
    for (const token of [stranger.token, admin.token]) {
      const { errors } = await running.graphql(CHANGE, { input }, token);
      expect(errors?.[0]?.extensions.code).toBeOneOf(['CENTER_NOT_FOUND', 'INSUFFICIENT_ROLE']);
    }
    const { data } = await running.graphql(CHANGE, { input }, partner.token);
    expect(data.changePlan.planName).toBe('Growth');
    expect(data.changePlan.features).toContainEqual({
      id: 'whiteLabel',
      enabled: false,
      neededPlan: 'Enterprise',
    });
    expect(await seen()).toEqual(ON);
  });

  test('branding and custom domains need a plan with white label', async () => {
    const { center, partner } = await stageIn(running, 'center-growth');
    await running.app.db.acrossTenants.center.update({
      where: { id: center.id },
      data: { tenantType: 'WHITE_LABEL' },
    });
    await running.call('PATCH', '/partner/settings', {
      token: partner.token,
      body: { branding: { primaryColor: '#0f5c5c' } },
    });
    const config = async () =>
      (await running.call('GET', `/whitelabel/${center.centerDomain}/config`)).body.data;
    const shades = async () => {
      const text = 'query ($domain: String!) { whiteLabelConfig(domain: $domain) { brand { shades } } }';
      return (await running.graphql(text, { domain: center.centerDomain })).data.whiteLabelConfig.brand
        .shades;
    };
    const setDomain = async () => {
      const { errors } = await running.graphql(
        `mutation ($id: Int!) { updatePartnerCenter(input: { centerId: $id, customDomain: "brand.example" }) { id } }`,
        { id: center.id },
        partner.token,
      );
      return errors?.[0]?.extensions.code;
    };
    expect(await config()).toMatchObject({ branding: {}, features: { whiteLabel: false } });
    expect(await shades()).toBeNull();
    expect(await setDomain()).toBe('FEATURE_DISABLED');
    const input = { centerId: center.id, planId: 'center-enterprise' };
    await running.graphql(CHANGE, { input }, partner.token);
    expect(await config()).toMatchObject({ branding: { primaryColor: '#0f5c5c' } });
    expect(await shades()).toContain('#0f5c5c');
    expect(await setDomain()).toBeUndefined();
  });
});
