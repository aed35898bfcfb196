import { isRequiredArgument } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  announceAudit,
  announceDecisions,
  messageOf,
  partnerPaymentsTopic,
} from '../../src/domain/announcements.ts';
import { announceAttempts } from '../../src/domain/webhooks/deliveries.ts';
import { schema } from '../../src/schema/index.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { statementsOf } from '../helpers/explained.ts';
import { type ForeignTenant, makeForeignTenant } from '../helpers/foreign.ts';
import { addRows, type Lookers } from '../helpers/many-rows.ts';
import { watch } from '../helpers/watch.ts';
import { makeActor, makeMember, makeToken } from '../helpers/world.ts';
import {
  countItems,
  documentOfEverything,
  type Field,
  fieldsOf,
  givesMany,
  isConnection,
  itemType,
  relationsOf,
  totalIn,
} from './everything.ts';

/** Rules for every list and relation of the schema. New ones are found automatically and fail until they have a row here. */

let house: TestApp;
let tenant: ForeignTenant;
let lookers: Lookers;
let round = 0;
beforeAll(async () => {
  house = await startTestApp();
  tenant = await makeForeignTenant(house.app);
  const parent = await makeMember(house.app, tenant.centerId, 'PARENT');
  const { token: admin, partnerToken: partner } = tenant;
  const root = await makeToken(house.app, (await makeActor(house.app, { platformAdmin: true })).id, null);
  lookers = { admin, partner, parent: parent.token, parentId: parent.actor.id, root };
  for (let i = 0; i < 2; i++) await addRows(house.app, tenant, lookers, ++round);
}, 60_000);
afterAll(() => house.close());

interface Call {
  as?: keyof Omit<Lookers, 'parentId'>;
  args?: () => Record<string, unknown>;
}

const id = (kind: string) => () => ({ id: tenant.ids[kind] });

/** Arguments for fields that need some, or that an administrator cannot call. */
const calls: Record<string, Call> = {
  allCenters: { as: 'root' },
  allPeople: { as: 'root' },
  availability: { args: () => ({ instructorId: tenant.instructorId }) },
  availableSlots: { args: () => ({ domain: tenant.domain, input: { date: '2031-01-06' } }) },
  center: { args: () => ({ domain: tenant.domain }) },
  centerInfo: { args: () => ({ domain: tenant.domain }) },
  certificate: { args: id('crt') },
  chainRecords: { args: () => ({ domain: 'platform', around: 0 }) },
  checkWorkflow: { args: () => ({ definition: {} }) },
  checkpoint: { args: id('chk') },
  checkpoints: { args: () => ({ domain: 'platform' }) },
  children: { as: 'parent' },
  consistencyProof: { args: () => ({ from: tenant.ids['chk'], to: tenant.ids['chk'] }) },
  decisionEvent: { args: id('sealed event') },
  decisionExport: { args: id('sealed event') },
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
  simulatePolicy: {
    args: () => ({ input: { actionType: `${tenant.mark}-quorum-1`, actorType: 'ai_agent' } }),
  },
  strandedMembers: { as: 'root' },
  subdomainAvailable: { args: () => ({ subdomain: 'nobody-has-this' }) },
  subscriptionOf: { as: 'partner', args: () => ({ centerId: tenant.centerId }) },
  verifyDpu: { args: id('dpu') },
  webhook: { args: id('whk') },
  webhookDeliveries: { args: () => ({ webhookId: tenant.ids['whk'] }) },
  webhookDelivery: { args: () => ({ webhookId: tenant.ids['whk'], eventId: tenant.ids['msg'] }) },
  whiteLabelConfig: { args: () => ({ domain: tenant.domain }) },
  workflow: { args: id('wf') },
  workflowExecution: { args: id('exe') },
};

/** Lists that do not grow with a center's activity, with the reason. */
const ofOneSize = new Set([
  'DecisionEvent.erased', // comes with the event itself
  'Query.availability', // a week
  'Query.chatChannels', // set up by hand
  'Query.requestedAvailability', // a week
  'Query.availableSlots', // a day
  'Query.chainRecords', // those around the one that was asked for
  'Query.chains', // four
  'Query.decisionsByDay', // the days that were asked for
  'Query.eventCatalogue', // what the service knows
  'Query.instructors', // staff, made once
  'Query.partnerFeatures', // what the service knows
  'Query.partnerActivityByDay', // the days that were asked for
  'Query.partnerRevenueByMonth', // the months that were asked for
  'Query.signingKeys', // the service's own
  'CenterSubscription.features', // what the service knows
  'CenterVerification.chains', // four
  'Schedule.days', // those that were asked for
  'ScheduleDay.freeSlots', // a day
  'ScheduleDay.hours', // a day
  'HeadLog.keys', // the service's own
  'HeadLog.witnesses', // those of the configuration
  'Installation.checks', // what the service looks at
  'Judgement.guards', // five
  'Me.features', // what the service knows
  'Partner.accounts', // staff, made once
  'PlatformPerson.memberships', // of people in the order of their random ids
  'Plan.includes', // comes with the plan itself
  'Judgement.seats', // of the policy that was asked about
  'Query.dryRunWorkflow', // the steps that were handed in
  'WorkflowCheck.faults', // of what was handed in
  'WorkflowNames.outputs', // what the service knows
  'WorkflowNames.values', // what the service knows
  'WorkflowOutput.members', // what the service knows
]);

/** Lists that take one statement per kind of item, however many items there are. */
const kindsIn: Record<string, number> = {
  auditEntries: 7, // the subjects of entries
};

/** Relations without data in this test. */
const absent = new Set([
  'DecisionEvent.lastSimilar', // a decision below a decision, which the documents here leave out
  'CenterVerification.losses', // nothing was lost here
  'DecisionEvent.pendingErasure', // centers here erase without a second administrator
  'Mandate.uses', // omitted from the documents here
  'MembershipSummary.approver', // only of memberships that wait
  'Query.possibleDelegates', // the administrator is the only member of the groups
  'Query.requestedAvailability', // the instructor works in one center only
  'Query.strandedMembers', // every center here has an administrator
  'DecisionEvent.erased', // nothing was erased here; it comes with the event itself
  'HeadLog.witnesses', // this service has none
  'Me.partner', // the account of a partner
  'PlatformPerson.partners', // the same
  'Membership.invitation', // somebody who was invited and has not answered
  'Query.node', // any of the types, each of which has a field of its own here
]);

const queries = Object.values(schema.getQueryType()!.getFields());
const relations = relationsOf(schema);

async function ask(name: string, first: number) {
  const field = queries.find((each) => each.name === name)!;
  const { as = 'admin', args = () => ({}) } = calls[name] ?? {};
  const variables = args();
  const document = documentOfEverything(field, Object.keys(variables), first);
  const run = () => house.graphql(document, variables, lookers[as]);
  let items = new Map<string, number>();
  const statements = await statementsOf(async () => {
    const { data, errors } = await run();
    expect(errors, `${name}: ${document}`).toBeUndefined();
    items = countItems(field, data[name]);
  });
  return { statements: statements.map(({ text }) => text), items };
}

async function askAll(first: number) {
  const statements = new Map<string, string[]>();
  const items = new Map<string, number>();
  for (const { name } of queries) {
    const asked = await ask(name, first);
    statements.set(name, asked.statements);
    for (const [relation, count] of asked.items) {
      items.set(relation, Math.max(items.get(relation) ?? 0, count));
    }
  }
  return { statements, items };
}

test('every root field can be called here', () => {
  const uncalled = queries.filter((field) => field.args.some(isRequiredArgument) && !calls[field.name]);
  expect(uncalled.map(({ name }) => name)).toEqual([]);
});

test('more rows take no more statements, in any list and any relation', async () => {
  const before = await askAll(2);
  for (let i = 0; i < 2; i++) await addRows(house.app, tenant, lookers, ++round);
  const after = await askAll(6);
  // Lists that were empty or did not grow would otherwise pass unnoticed.
  const empty = [...relations.keys()].filter((name) => !after.items.get(name) && !absent.has(name));
  expect(empty).toEqual([]);
  const still = [...relations]
    .filter(([name, field]) => givesMany(field) && !ofOneSize.has(name) && !absent.has(name))
    .filter(([name]) => after.items.get(name)! <= before.items.get(name)!);
  expect(still.map(([name]) => name)).toEqual([]);

  // Cached values may have been read by the first caller and are not read again.
  const grown: string[] = [];
  for (const [name, { length }] of before.statements) {
    if (after.statements.get(name)!.length <= length) continue;
    // Occasional background work is not part of every attempt.
    const attempts = [];
    for (let i = 0; i < 4; i++) attempts.push((await ask(name, 6)).statements);
    const fewest = attempts.sort((a, b) => a.length - b.length)[0]!;
    if (fewest.length > length + (kindsIn[name] ?? 0))
      grown.push(`${name}: ${length} to ${fewest.length}: ${fewest.at(-1)}`);
  }
  expect(grown).toEqual([]);
}, 120_000);

interface Live {
  as?: Call['as'];
  document: string;
  tell: (count: number) => void;
}

/** Entries that concern the tenant's center and its partner. */
const tellAudit = (count: number) =>
  announceAudit(
    house.app.bus,
    known['aud']!.slice(0, count).map((id) => ({
      id,
      type: 'api_key.changed',
      centerId: tenant.centerId,
      partnerId: tenant.partnerId,
    })),
  );

const live: Record<string, Live> = {
  decisionEvents: {
    document:
      'subscription { decisionEvents { id approvals { id } outcome { status } outlook { verdict } } }',
    tell: (count) => announceDecisions(house.app.bus, tenant.centerId, known['evt']!.slice(0, count)),
  },
  auditEntries: {
    document: 'subscription { auditEntries { id type } }',
    tell: tellAudit,
  },
  partnerAudit: {
    as: 'partner',
    document: 'subscription { partnerAudit { id type center { name } } }',
    tell: tellAudit,
  },
  partnerPayments: {
    as: 'partner',
    document: 'subscription { partnerPayments { id center { name } } }',
    tell: (count) =>
      house.app.bus.hint(partnerPaymentsTopic(tenant.partnerId), messageOf(known['pay']!.slice(0, count))),
  },
  allCenters: {
    as: 'root',
    document: 'subscription { allCenters { id memberCount partner { name memberCount } } }',
    tell: (count) =>
      announceAudit(
        house.app.bus,
        known['center']!.slice(0, count).map((id) => ({
          id,
          type: 'center.updated',
          centerId: Number(id),
          partnerId: null,
        })),
      ),
  },
  webhookDeliveries: {
    document: 'subscription { webhookDeliveries { eventId eventType attemptLog { number } } }',
    tell: (count) => {
      const webhookId = tenant.ids['whk']!;
      const keys = known['msg']!.slice(0, count).map((eventId) => ({ webhookId, eventId }));
      announceAttempts(
        house.app,
        keys.map((key) => ({ ...key, centerId: tenant.centerId })),
      );
    },
  },
};
/** Ids of existing objects, by kind. */
const known: Record<string, string[]> = {};

test('every list that can be looked at live has a row here', () => {
  const lists = Object.values(schema.getSubscriptionType()!.getFields()).filter(givesMany);
  expect(Object.keys(live).sort()).toEqual(lists.map(({ name }) => name).sort());
});

test.each(Object.keys(live))(
  '%s: a message about many takes the statements of one about few',
  async (name) => {
    const { db } = house.app;
    const own = db.forCenter(tenant.centerId);
    const pick = { select: { id: true }, orderBy: { id: 'desc' }, take: 5 } as const;
    known['evt'] = (await own.decisionEvent.findMany(pick)).map(({ id }) => id);
    known['aud'] = (await own.auditEntry.findMany(pick)).map(({ id }) => id);
    known['pay'] = (await own.payment.findMany(pick)).map(({ id }) => id);
    const centers = await db.acrossTenants.center.findMany(pick);
    known['center'] = centers.map(({ id }) => String(id));
    const sent = { where: { webhookId: tenant.ids['whk']!, attempts: { gt: 0 } } };
    known['msg'] = (await own.delivery.findMany(sent)).map(({ eventId }) => eventId);
    const { as = 'admin', document, tell } = live[name]!;
    const next = await watch(house, document, lookers[as]);
    // The stream does not announce when it is listening, so send until it receives.
    let heard = false;
    const first = next().finally(() => (heard = true));
    while (!heard) {
      tell(1);
      await Promise.race([first, new Promise((resolve) => setTimeout(resolve, 50))]);
    }
    const hear = async (count: number) => {
      const statements = await statementsOf(async () => {
        tell(count);
        // Events sent before it listened come first.
        while ((await next()).data[name].length !== count);
      });
      return statements.length;
    };
    await hear(2);
    // Background statements such as heartbeats may occur in one attempt, but not in all of them.
    const fewest = async (count: number) => Math.min(await hear(count), await hear(count), await hear(count));
    expect(await fewest(4)).toBeLessThanOrEqual(await fewest(3));
  },
);

/** A connection and its path: a root field, or a field of its result. */
interface Way {
  root: Field;
  field: Field;
}

const ways: [string, Way][] = [
  ...queries
    .filter(({ type }) => isConnection(type))
    .map((root) => [root.name, { root, field: root }] as const),
  ...queries
    .filter((root) => !givesMany(root) && itemType(root.type) && calls[root.name])
    .flatMap((root) =>
      fieldsOf(itemType(root.type)!)
        .filter(({ type }) => isConnection(type))
        .map((field) => [`${root.name}.${field.name}`, { root, field }] as const),
    ),
].map(([name, way]) => [name, way]);

async function page({ root, field }: Way, args: Record<string, string> = {}, first = 2) {
  const { as = 'admin', args: make = () => ({}) } = calls[root.name] ?? {};
  const variables: Record<string, unknown> = { ...make(), ...args };
  const rootArgs = root.args.filter(({ name }) => name in variables && (root === field || !(name in args)));
  const declared = [
    ...rootArgs.map(({ name, type }) => `$${name}: ${type}`),
    ...(root === field ? [] : Object.keys(args).map((name) => `$${name}: String`)),
  ];
  const pass = (names: string[]) => names.map((name) => `${name}: $${name}`);
  const cursors = `(${[`first: ${first}`, ...pass(Object.keys(args))].join(', ')})`;
  const own = pass(rootArgs.map(({ name }) => name));
  const below = `{ ${totalIn(field.type)} edges { cursor } }`;
  const call =
    root === field
      ? `${root.name}(${[`first: ${first}`, ...own].join(', ')}) ${below}`
      : `${root.name}(${own.join(', ')}) { ${field.name}${cursors} ${below} }`;
  const head = declared.length > 0 ? `(${declared.join(', ')})` : '';
  const { data, errors } = await house.graphql(`query ${head} { ${call} }`, variables, lookers[as]);
  const connection = root === field ? data?.[root.name] : data?.[root.name]?.[field.name];
  const total: number | undefined = connection?.totalCount;
  return { cursors: connection?.edges.map(({ cursor }: { cursor: string }) => cursor), total, errors };
}

test('every connection of the schema is looked at', () => {
  const known = new Set(ways.map(([, { field }]) => field));
  const missing = [...relations].filter(([, field]) => isConnection(field.type) && !known.has(field));
  expect(missing.map(([name]) => name)).toEqual([]);
});

test('a total is the number of rows', async () => {
  const counted = ways.filter(([, { field }]) => totalIn(field.type));
  expect(counted.length).toBeGreaterThan(10);
  for (const [name, way] of counted) {
    const { cursors, total } = await page(way, {}, 100);
    expect(total, name).toBe(cursors.length);
  }
});

test('a page below an object, or below each of many, reads the rows that it shows and no others, in either direction', async () => {
  const below = [...relations].filter(([name, { type }]) => isConnection(type) && !name.startsWith('Query.'));
  expect(below.length).toBeGreaterThan(3);
  for (const [name, { name: field }] of below) {
    const roots = queries.filter(({ type }) => itemType(type)?.name === name.split('.')[0]);
    for (const root of roots) {
      const { as = 'admin', args = () => ({}) } = calls[root.name] ?? {};
      const passed = Object.entries(args()).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
      const path = `${root.name}.${field}`;
      const show = async (cursors: string) => {
        const page = `${field}(${cursors}) { edges { cursor } }`;
        const query = isConnection(root.type)
          ? `{ ${root.name}(${[...passed, 'first: 1']}) { edges { node { ${page} } } } }`
          : `{ ${root.name}(${passed}) { ${page} } }`;
        let shown: string[] = [];
        const statements = await statementsOf(async () => {
          const { data, errors } = await house.graphql(query, {}, lookers[as]);
          expect(errors, query).toBeUndefined();
          const [owner] = isConnection(root.type) ? data[root.name].edges : [{ node: data[root.name] }];
          shown = owner.node[field].edges.map(({ cursor }: { cursor: string }) => cursor);
        });
        return { shown, rows: Math.max(...statements.map((statement) => statement.rows)) };
      };
      // The item that is shown, and the one that tells whether there are more.
      expect((await show('first: 1')).rows, path).toBeLessThanOrEqual(2);
      if (isConnection(root.type)) continue;
      const [first, second, third] = (await show('first: 3')).shown;
      const next = await show(`first: 1, after: "${first}"`);
      const previous = await show(`last: 1, before: "${third}"`);
      expect([next, previous], path).toEqual([
        { shown: [second], rows: 2 },
        { shown: [second], rows: 2 },
      ]);
    }
  }
});

const wrapped = (text: string) => Buffer.from(text).toString('base64');
const noCursors = [
  'zzz',
  '',
  '0',
  '-1',
  '9223372036854775808',
  'evt_',
  '%00',
  'x'.repeat(10_000),
  wrapped('GPC:'),
  wrapped('GPC:I:99999999999999999999'),
  wrapped('GPC:S:\0'),
  wrapped('GPC:T:["S:x","N:99999999999999"]'),
  wrapped('GPC:J:{}'),
];

test('an invalid cursor is an error in every list, never the first page', async () => {
  const cursors = new Map<string, string[]>();
  for (const [name, way] of ways) cursors.set(name, (await page(way)).cursors);
  for (const [name, way] of ways) {
    const [first, second] = cursors.get(name)!;
    if (absent.has(`Query.${name}`)) continue;
    // Its own cursor works; otherwise what follows would prove nothing.
    expect((await page(way, { after: first! })).cursors[0], name).toBe(second);
    const { name: item } = itemType(way.field.type)!;
    const others = ways
      .filter(([other, { field }]) => itemType(field.type)!.name !== item && !absent.has(`Query.${other}`))
      // Lists of the same rows share their cursors: of memberships, and of decisions.
      .map(([other]) => cursors.get(other)![0]!)
      .filter((cursor) => !(/^(mbr|evt)_/.test(cursor) && cursor.slice(0, 4) === first!.slice(0, 4)))
      .filter((_, i) => i % 5 === name.length % 5);
    for (const [at, cursor] of [...noCursors, `${first}x!`, ...others].entries()) {
      const argument = at % 2 === 0 ? 'after' : 'before';
      const { errors } = await page(way, { [argument]: cursor });
      const about = `${name}(${argument}: ${cursor.slice(0, 60)}): ${JSON.stringify(errors)}`;
      expect(
        errors?.map(({ extensions }) => extensions.code),
        about,
      ).toEqual(['VALIDATION_ERROR']);
    }
  }
}, 60_000);

test('a cursor of the same list of another object is an error too', async () => {
  const [, way] = ways.find(([name]) => name === 'webhook.deliveries')!;
  const [cursor] = (await page(way)).cursors;
  const other = await house.app.db
    .forCenter(tenant.centerId)
    .webhook.findFirstOrThrow({ where: { id: { not: tenant.ids['whk']! } } });
  for (const list of [
    'webhook(id: $id) { deliveries(after: $after) { edges { cursor } } }',
    'webhookDeliveries(webhookId: $id, after: $after) { edges { cursor } }',
  ]) {
    const ask = (id: string) =>
      house.graphql(`query ($id: ID!, $after: String) { ${list} }`, { id, after: cursor }, lookers.admin);
    expect((await ask(tenant.ids['whk']!)).errors, list).toBeUndefined();
    expect((await ask(other.id)).errors?.[0], list).toMatchObject({
      extensions: { code: 'VALIDATION_ERROR' },
    });
  }
});

test('a delivery is read atomically, so that no response mixes the states before and after an attempt', async () => {
  const list = () => house.call('GET', `/v1/webhooks/${tenant.ids['whk']}/deliveries`, { token: tenant.key });
  expect((await list()).body.data.length).toBeGreaterThan(2);
  const statements = await statementsOf(list);
  expect(statements.filter(({ text }) => /FROM "public"\."delivery"/.test(text))).toHaveLength(1);
});
