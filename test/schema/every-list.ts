/**
 * Every list and relation of the schema, with a tenant that has rows in each. New ones are found automatically, and their
 * tests fail until they have a row here.
 */
import { afterAll, beforeAll } from 'vitest';
import { schema } from '../../src/schema/index.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { type ForeignTenant, makeForeignTenant } from '../helpers/foreign.ts';
import { addRows, type Lookers } from '../helpers/many-rows.ts';
import { makeActor, makeMember, makeToken } from '../helpers/world.ts';
import { relationsOf } from './everything.ts';

export let house: TestApp;
export let tenant: ForeignTenant;
export let lookers: Lookers;
let round = 0;

/** Each test file calls this: files share modules, so hooks of a module would run only for the first. */
export function makeEveryList(): void {
  beforeAll(async () => {
    house = await startTestApp({ reportsPlans: true });
    tenant = await makeForeignTenant(house.app);
    const parent = await makeMember(house.app, tenant.centerId, 'PARENT');
    const { token: admin, partnerToken: partner } = tenant;
    const root = await makeToken(house.app, (await makeActor(house.app, { platformAdmin: true })).id, null);
    lookers = { admin, partner, parent: parent.token, parentId: parent.actor.id, root, key: tenant.key };
    await addTwoRows();
  }, 60_000);
  afterAll(() => house.close());
}

/** Adds two rows to every list. */
export async function addTwoRows(): Promise<void> {
  for (let i = 0; i < 2; i++) await addRows(house.app, tenant, lookers, ++round);
}

export interface Call {
  as?: keyof Omit<Lookers, 'parentId'>;
  args?: () => Record<string, unknown>;
}

const id = (kind: string) => () => ({ id: tenant.ids[kind] });

/** A policy that warns, and that settles requests in another way. */
const policyDraft = () => {
  const group = tenant.ids['grp'];
  const quorum = { quorum: [{ group, count: 1 }], escalateToGroup: group, escalateAfterSeconds: 604_800 };
  return { input: { scope: 'CENTER', actionPattern: '*', guards: { dualApproval: true, ...quorum } } };
};

/** Arguments for fields that need some, or that an administrator cannot call. */
export const calls: Record<string, Call> = {
  allCenters: { as: 'root' },
  allPeople: { as: 'root' },
  availability: { args: () => ({ instructorId: tenant.instructorId }) },
  availableSlots: { args: () => ({ domain: tenant.domain, input: { date: '2031-01-06' } }) },
  center: { args: () => ({ domain: tenant.domain }) },
  centerInfo: { args: () => ({ domain: tenant.domain }) },
  certificate: { args: id('crt') },
  chainRecords: { args: () => ({ domain: 'platform', around: 0 }) },
  checkPolicy: { args: policyDraft },
  checkMandate: { args: () => ({ input: {} }) },
  checkWorkflow: { args: () => ({ definition: {} }) },
  checkpoint: { args: id('chk') },
  checkpoints: { args: () => ({ domain: 'platform' }) },
  children: { as: 'parent' },
  consistencyProof: { args: () => ({ from: tenant.ids['chk'], to: tenant.ids['chk'] }) },
  currentApiKey: { as: 'key' },
  decisionEvent: { args: id('sealed event') },
  decisionExport: { args: id('sealed event') },
  decisionResult: { args: () => ({ eventId: tenant.ids['sealed event'] }) },
  decisionEventPage: { args: () => ({ limit: 20, offset: 0 }) },
  decisionsByDay: { args: () => ({ from: '2026-01-01', to: '2026-01-07' }) },
  dpu: { args: id('dpu') },
  dryRunWorkflow: {
    args: () => ({
      definition: { name: 'x', type: 'MANUAL', steps: [{ name: 'a', kind: 'template', text: 'x' }] },
    }),
  },
  dpuExport: { args: id('dpu') },
  dpuResponsibility: { args: id('dpu') },
  effectivePolicy: { args: () => ({ actionType: 'refund.grant' }) },
  evidence: { args: id('evd') },
  evidenceExport: { args: id('evd') },
  headLog: { as: 'root' },
  identityProviderTest: { args: id('ptt') },
  inclusionProof: { args: () => ({ dpuId: tenant.ids['dpu'] }) },
  installation: { as: 'root' },
  instructors: { args: () => ({ domain: tenant.domain }) },
  managedCenter: { as: 'partner', args: () => ({ id: tenant.centerId }) },
  mandate: { args: id('mnd') },
  node: { args: id('wf') },
  partner: { as: 'root', args: () => ({ id: tenant.partnerId }) },
  partnerActivityByDay: { as: 'partner' },
  partnerAudit: { as: 'partner' },
  partnerAuditPage: { as: 'partner' },
  partnerCenter: { as: 'partner', args: () => ({ id: tenant.centerId }) },
  partnerCenterPage: { as: 'partner' },
  partnerCenters: { as: 'partner' },
  partnerDashboard: { as: 'partner' },
  partnerFeatures: { as: 'partner' },
  partnerMemberPage: { as: 'partner' },
  partnerMembers: { as: 'partner' },
  partnerPayments: { as: 'partner' },
  partnerRevenueByMonth: { as: 'partner' },
  partnerSettings: { as: 'partner' },
  partners: { as: 'root' },
  person: { as: 'root', args: () => ({ id: tenant.actorId }) },
  plans: { args: () => ({ kind: 'CENTER' }) },
  platformAudit: { as: 'root' },
  proofState: { args: id('dpu') },
  requestedAvailability: { args: () => ({ instructorId: tenant.instructorId }) },
  schedule: {
    args: () => ({ input: { from: '2031-01-06', days: 7, instructorId: tenant.instructorId } }),
  },
  searchCenters: { args: () => ({ input: {} }) },
  signInOptions: { args: () => ({ center: tenant.domain }) },
  simulatePolicy: {
    args: () => ({ input: { actionType: `${tenant.mark}-quorum-1`, actorType: 'ai_agent' } }),
  },
  strandedMembers: { as: 'root' },
  subdomainAvailable: { args: () => ({ subdomain: 'nobody-has-this' }) },
  subscriptionOf: { as: 'partner', args: () => ({ centerId: tenant.centerId }) },
  tryPolicy: { args: policyDraft },
  tryMandate: { args: () => ({ input: { actionPattern: 'refund.*' } }) },
  verifyDpu: { args: id('dpu') },
  webhook: { args: id('whk') },
  webhookDeliveries: { args: () => ({ webhookId: tenant.ids['whk'] }) },
  webhookDelivery: { args: () => ({ webhookId: tenant.ids['whk'], eventId: tenant.ids['msg'] }) },
  whiteLabelConfig: { args: () => ({ domain: tenant.domain }) },
  workflow: { args: id('wf') },
  workflowExecution: { args: id('exe') },
};

/** Relations without data in this test. */
export const absent = new Set([
  'DecisionEvent.lastSimilar', // a decision below a decision, which the documents here leave out
  'CenterVerification.losses', // nothing was lost here
  'DecisionEvent.mandateUse', // decisions here are approved by hand; it is read with their guards
  'DecisionEvent.pendingErasure', // centers here erase without a second administrator
  'Judgement.mandates', // no mandate is granted here; all are read in one statement
  'Mandate.uses', // omitted from the documents here
  'MembershipSummary.approver', // only of memberships that wait
  'Query.possibleDelegates', // the administrator is the only member of the groups
  'Query.requestedAvailability', // the instructor works in one center only
  'Query.strandedMembers', // every center here has an administrator
  'DecisionEvent.erased', // nothing was erased here; it comes with the event itself
  'HeadLog.witnesses', // this service has none
  'Me.provider', // of a session that a provider opened
  'Query.waitingIdentity', // of a browser that signed in at a provider
  'Me.partner', // the account of a partner
  'PlatformPerson.partners', // the same
  'Membership.invitation', // somebody who was invited and has not answered
  'Query.node', // any of the types, each of which has a field of its own here
]);

export const queries = Object.values(schema.getQueryType()!.getFields());
export const relations = relationsOf(schema);
