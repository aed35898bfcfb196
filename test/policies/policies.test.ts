import { afterAll, beforeAll, expect, test } from 'vitest';
import { evaluate, type PolicyFacts, policyViolation } from '../../src/domain/policies/evaluate.ts';
import { policiesInForce } from '../../src/domain/policies/in-force.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { runAs } from '../helpers/server.ts';
import { makeActor, makeMember, makeStage, makeToken } from '../helpers/world.ts';

let running: TestApp;
let root: string;

beforeAll(async () => {
  running = await startTestApp();
  const actor = await makeActor(running.app, { platformAdmin: true });
  root = await makeToken(running.app, actor.id, null);
});
afterAll(() => running.close());

const CREATE = `mutation ($input: CreatePolicyInput!) { createPolicy(input: $input) { id version scope } }`;
const UPDATE = `mutation ($input: UpdatePolicyInput!) {
  updatePolicy(input: $input) { id version active guards { riskThreshold dualApproval } }
}`;
const EFFECTIVE = `query ($actionType: String!) {
  effectivePolicy(actionType: $actionType) {
    policyId version sources
    guards { minimumEvidenceLevel humanReviewForAi riskThreshold dualApproval }
  }
}`;

async function create(token: string, input: object): Promise<string> {
  const { data, errors } = await running.graphql(CREATE, { input: { name: 'a policy', ...input } }, token);
  expect(errors).toBeUndefined();
  return data.createPolicy.id;
}
const codeOf = async (query: string, variables: Record<string, unknown>, token?: string) =>
  (await running.graphql(query, variables, token)).errors?.[0]?.extensions.code;
const effective = async (token: string, actionType: string) =>
  (await running.graphql(EFFECTIVE, { actionType }, token)).data.effectivePolicy;
const facts: PolicyFacts = {
  actionType: 'refund.grant',
  eventType: 'custom',
  actorId: 'agent-7',
  actorType: 'ai_agent',
  hasAiContext: false,
  riskScore: null,
  evidenceLevel: 'AUDIT_READY',
  approvals: [],
};

const evaluatePolicy = async (centerId: number, given: PolicyFacts) =>
  evaluate(await policiesInForce(running.app.db, centerId), given);

test('the baseline policy exists from the start and holds only high risks for approval', async () => {
  const { center, token } = await makeStage(running.app);
  expect(await effective(token, 'anything.at.all')).toMatchObject({
    policyId: 'pol_baseline',
    version: 1,
    guards: { minimumEvidenceLevel: null, humanReviewForAi: null, riskThreshold: 0.8, dualApproval: null },
  });
  expect(await evaluatePolicy(center.id, facts)).toMatchObject({
    verdict: 'pass',
    policy: { id: 'pol_baseline', version: 1 },
  });
  expect((await evaluatePolicy(center.id, { ...facts, riskScore: 0.8 })).verdict).toBe('pass');
  expect((await evaluatePolicy(center.id, { ...facts, riskScore: 0.81 })).verdict).toBe('pending');
});

test('the narrower scope takes precedence for each guard', async () => {
  const { token } = await makeStage(running.app, { settings: { country: 'AT', region: 'W' } });
  const elsewhere = await makeStage(running.app, { settings: { country: 'AT', region: 'T' } });
  const actionPattern = 'scope.*';
  const country = await create(root, {
    scope: 'COUNTRY',
    country: 'AT',
    actionPattern,
    guards: { humanReviewForAi: true, riskThreshold: 0.6 },
  });
  const region = await create(root, {
    scope: 'REGION',
    country: 'AT',
    region: 'W',
    actionPattern,
    guards: { riskThreshold: 0.4 },
  });
  // The same name in another country is another region.
  await create(root, {
    scope: 'REGION',
    country: 'CH',
    region: 'W',
    actionPattern,
    guards: { riskThreshold: 0 },
  });
  const own = await create(token, { scope: 'CENTER', actionPattern, guards: { dualApproval: true } });

  const here = await effective(token, 'scope.test');
  expect(here).toMatchObject({
    policyId: own,
    guards: { humanReviewForAi: true, riskThreshold: 0.4, dualApproval: true, minimumEvidenceLevel: null },
    sources: {
      humanReviewForAi: { id: country, version: 1 },
      riskThreshold: { id: region, version: 1 },
      dualApproval: { id: own, version: 1 },
      minimumEvidenceLevel: null,
    },
  });
  expect(await effective(elsewhere.token, 'scope.test')).toMatchObject({
    policyId: country,
    guards: { humanReviewForAi: true, riskThreshold: 0.6, dualApproval: null },
  });
  expect((await effective(token, 'other')).policyId).toBe('pol_baseline');
});

test('every edit creates a version; a stale edit is rejected; deactivating takes effect', async () => {
  const { center, token } = await makeStage(running.app);
  const id = await create(token, {
    scope: 'CENTER',
    actionPattern: 'x',
    guards: { riskThreshold: 0.5, dualApproval: true },
  });
  const update = (input: object) => running.graphql(UPDATE, { input: { id, ...input } }, token);
  const changed = await update({ expectedVersion: 1, guards: { riskThreshold: 0.3 } });
  expect(changed.data.updatePolicy).toEqual({
    id,
    version: 2,
    active: true,
    guards: { riskThreshold: 0.3, dualApproval: null },
  });
  const stale = await update({ expectedVersion: 1, name: 'late' });
  expect(stale.errors![0]!.extensions.code).toBe('CONFLICT');
  await update({ active: false });
  expect((await effective(token, 'x')).policyId).toBe('pol_baseline');

  const query = `query ($id: ID!) {
    node(id: $id) { ... on Policy { version versions { version active changedById guards { riskThreshold } } } }
  }`;
  const { data } = await running.graphql(query, { id }, token);
  expect(data.node).toMatchObject({
    version: 3,
    versions: [
      { version: 3, active: false, guards: { riskThreshold: 0.3 } },
      { version: 2, active: true, guards: { riskThreshold: 0.3 } },
      { version: 1, active: true, guards: { riskThreshold: 0.5 } },
    ],
  });
  expect(data.node.versions[0].changedById).toMatch(/^actor:/);
  const audited = await running.app.db.forCenter(center.id).auditEntry.findMany({ where: { target: id } });
  expect(audited.map(({ detail }) => (detail as { version: number }).version)).toEqual([1, 2, 3]);
});

test('versions and the audit log say in sentences what changed, with the names of groups', async () => {
  const { center, token } = await makeStage(running.app);
  const group = await running.graphql(
    'mutation { createGroup(input: { name: "Finance" }) { id } }',
    {},
    token,
  );
  const finance = group.data.createGroup.id;
  const id = await create(token, {
    scope: 'CENTER',
    name: 'Payments',
    actionPattern: 'payment.*',
    guards: { quorum: [{ group: finance, count: 2 }, { count: 1 }], riskThreshold: 0.125 },
  });
  const update = (input: object) => running.graphql(UPDATE, { input: { id, ...input } }, token);
  const seat = { count: 1, authentication: 'SIGNED' };
  await update({
    guards: {
      quorum: [{ count: 2, authentication: 'SESSION' }, seat],
      quorumOrdered: true,
      escalateAfterSeconds: 5_400,
      escalateToGroup: finance,
    },
  });
  await update({ name: 'Paying', actionPattern: 'payment.send', active: false });
  await update({ guards: { quorum: [seat], riskThreshold: 0 } });

  const query = `query ($id: ID!) { node(id: $id) { ... on Policy { versions { version changes } } } }`;
  const { data } = await running.graphql(query, { id }, token);
  const expected = [
    [
      'Created. Covers payment.*.',
      'Added seat 1: two members of Finance, each signed in.',
      'Added seat 2: one person, signed in or asserted by an API key.',
      'Added: A person approves above a risk of 12.5 %.',
    ],
    [
      'Seat 1: two people, each signed in (before: two members of Finance, each signed in).',
      'Seat 2: one person, with a passkey (before: one person, signed in or asserted by an API key).',
      'Removed: A person approves above a risk of 12.5 %.',
      'Added: A later seat waits until the earlier ones are filled.',
      'Added: After 1 hour 30 minutes, members of Finance can fill open seats.',
    ],
    ['Renamed from “Payments” to “Paying”.', 'Covers payment.send (before: payment.*).', 'Switched off.'],
    [
      'Removed seat 1: two people, each signed in.',
      'Removed: A later seat waits until the earlier ones are filled.',
      'Removed: After 1 hour 30 minutes, members of Finance can fill open seats.',
      'Added: A person approves above a risk of 0 %.',
    ],
  ];
  const { versions } = data.node;
  expect(versions.map(({ changes }: { changes: string[] }) => changes)).toEqual(expected.toReversed());
  const audited = await running.app.db.forCenter(center.id).auditEntry.findMany({
    where: { target: id },
    orderBy: { id: 'asc' },
  });
  expect(audited.map(({ detail }) => detail)).toMatchObject(
    expected.map((changed, i) => ({ change: 'policy', name: i < 2 ? 'Payments' : 'Paying', changed })),
  );
});

test('two concurrent edits create two versions, not one', async () => {
  const { token } = await makeStage(running.app);
  const id = await create(token, { scope: 'CENTER', actionPattern: 'x', guards: {} });
  const rename = (name: string) => running.graphql(UPDATE, { input: { id, name } }, token);
  const answers = await Promise.all(['a', 'b', 'c', 'd'].map(rename));
  expect(answers.map(({ data }) => data.updatePolicy.version).sort()).toEqual([2, 3, 4, 5]);
});

test('each role can edit policies of its own scope only', async () => {
  const { center, token } = await makeStage(running.app);
  const other = await makeStage(running.app);
  const instructor = await makeMember(running.app, center.id, 'INSTRUCTOR');
  const id = await create(token, { scope: 'CENTER', actionPattern: 'x', guards: {} });
  const policy = { name: 'p', actionPattern: '*', guards: {} };
  for (const scope of ['GLOBAL', 'COUNTRY', 'REGION']) {
    const input = { ...policy, scope, country: 'DE', region: 'BE' };
    expect(await codeOf(CREATE, { input }, token)).toBe('INSUFFICIENT_ROLE');
  }
  const own = { ...policy, scope: 'CENTER' };
  expect(await codeOf(CREATE, { input: own }, instructor.token)).toBe('INSUFFICIENT_ROLE');
  expect(await codeOf(CREATE, { input: own })).toBe('UNAUTHORIZED');
  const rename = { input: { id, name: 'mine' } };
  expect(await codeOf(UPDATE, rename, other.token)).toBe('NOT_FOUND');
  expect(await codeOf(UPDATE, rename, root)).toBe('NOT_FOUND');
  const baseline = { input: { id: 'pol_baseline', guards: { riskThreshold: 1 } } };
  expect(await codeOf(UPDATE, baseline, token)).toBe('INSUFFICIENT_ROLE');
  const list = `{ policies(first: 100) { edges { node { id } } } }`;
  const idsFor = async (who: string) =>
    (await running.graphql(list, {}, who)).data.policies.edges.map(
      (edge: { node: { id: string } }) => edge.node.id,
    );
  expect(await idsFor(token)).toEqual(expect.arrayContaining([id, 'pol_baseline']));
  expect(await idsFor(other.token)).not.toContain(id);
  expect(await idsFor(root)).not.toContain(id);
});

test('the baseline can be edited, but not deactivated, narrowed or deleted', async () => {
  const own = await startTestApp();
  try {
    const actor = await makeActor(own.app, { platformAdmin: true });
    const token = await makeToken(own.app, actor.id, null);
    const update = (input: object) => own.graphql(UPDATE, { input: { id: 'pol_baseline', ...input } }, token);
    expect((await update({ guards: { riskThreshold: 0.7 } })).data.updatePolicy).toMatchObject({
      version: 2,
      guards: { riskThreshold: 0.7 },
    });
    for (const input of [{ active: false }, { actionPattern: 'some.*' }]) {
      expect((await update(input)).errors![0]!.extensions.code).toBe('FORBIDDEN');
    }
    for (const sql of [
      `UPDATE policy SET active = false WHERE id = 'pol_baseline'`,
      `DELETE FROM policy WHERE id = 'pol_baseline'`,
    ]) {
      await expect(runAs(own.database.adminUrl, sql)).rejects.toThrow('always exists');
    }
  } finally {
    await own.close();
  }
});

test('invalid input is rejected', async () => {
  const { token } = await makeStage(running.app);
  const good = { scope: 'CENTER', name: 'p', actionPattern: 'x', guards: {} };
  for (const bad of [
    { name: ' ' },
    { actionPattern: 'a*b' },
    { guards: { riskThreshold: 1.1 } },
    { guards: { riskThreshold: -0.1 } },
  ]) {
    expect(await codeOf(CREATE, { input: { ...good, ...bad } }, token)).toBe('VALIDATION_ERROR');
  }
  for (const scope of ['COUNTRY', 'REGION']) {
    expect(await codeOf(CREATE, { input: { ...good, scope, region: 'BE' } }, root)).toBe('VALIDATION_ERROR');
  }
});

test('a violation contains the policy and the rule', async () => {
  const { center, token } = await makeStage(running.app);
  const id = await create(token, {
    scope: 'CENTER',
    actionPattern: 'refund.*',
    guards: { minimumEvidenceLevel: 'AUDIT_READY' },
  });
  const evaluation = await evaluatePolicy(center.id, { ...facts, evidenceLevel: 'DRAFT' });
  expect(evaluation.verdict).toBe('fail');
  expect(policyViolation(evaluation)).toMatchObject({
    code: 'POLICY_VIOLATION',
    details: { policy: id, rule: 'evidence_level' },
  });
});
