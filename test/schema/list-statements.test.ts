/** The number of statements a list takes does not depend on its length. */
import { isRequiredArgument } from 'graphql';
import { expect, test } from 'vitest';
import {
  announceAudit,
  announceDecisions,
  messageOf,
  partnerPaymentsTopic,
} from '../../src/domain/announcements.ts';
import { announceAttempts } from '../../src/domain/webhooks/deliveries.ts';
import { schema } from '../../src/schema/index.ts';
import { statementsOf } from '../helpers/explained.ts';
import { firstResult, watch } from '../helpers/watch.ts';
import {
  absent,
  addTwoRows,
  type Call,
  calls,
  house,
  lookers,
  makeEveryList,
  queries,
  relations,
  tenant,
} from './every-list.ts';
import { countItems, documentOfEverything, givesMany } from './everything.ts';

makeEveryList();

/** Lists that do not grow with a center's activity, with the reason. */
const ofOneSize = new Set([
  'ActionTypeWords.members', // of the settings
  'DecisionResult.decisions', // of one decision
  'DecisionEvent.erased', // comes with the event itself
  'Query.availability', // a week
  'Query.checkPolicy', // of the policy that was handed in
  'Query.chatChannels', // set up by hand
  'Query.requestedAvailability', // a week
  'Query.availableSlots', // a day
  'Query.chainRecords', // those around the one that was asked for
  'Query.chains', // four
  'Query.decisionsByDay', // the days that were asked for
  'Query.eventCatalogue', // what the service knows
  'Query.emailDomains', // of the settings
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
  'FirstSteps.steps', // what the service knows
  'HeadLog.keys', // the service's own
  'HeadLog.witnesses', // those of the configuration
  'IdentityProvider.failures', // the newest 20
  'IdentityProvider.requiredClaims', // set up by hand
  'IdentityProvider.roleByGroup', // set up by hand
  'Installation.checks', // what the service looks at
  'Judgement.guards', // five
  'Me.features', // what the service knows
  'Partner.accounts', // staff, made once
  'PlatformPerson.onlyAdminOf', // the person administers one center here
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
  allPeople: 2, // memberships and their centers, which the first people may lack
  approvalsForMe: 12, // what a requested mandate lifts, which the first requests do not grant
  auditEntries: 7, // the subjects of entries
  decisionEvents: 12, // the same
};

async function ask(name: string, first: number) {
  const field = queries.find((each) => each.name === name)!;
  const { as = 'admin', args = () => ({}) } = calls[name] ?? {};
  const variables = args();
  const document = documentOfEverything(field, Object.keys(variables), first);
  const run = () => house.graphql(document, variables, lookers[as]);
  let items = new Map<string, number>();
  const statements = await statementsOf(house.app, async () => {
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

test('every root field has sample arguments', () => {
  const uncalled = queries.filter((field) => field.args.some(isRequiredArgument) && !calls[field.name]);
  expect(uncalled.map(({ name }) => name)).toEqual([]);
});

test('more rows take no more statements, in any list and relation', async () => {
  const before = await askAll(2);
  await addTwoRows();
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
  approvalsForMe: {
    document: 'subscription { approvalsForMe { eventId reason event { id seats { open } } } }',
    tell: (count) => announceDecisions(house.app.bus, tenant.centerId, known['waiting']!.slice(0, count)),
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

test('every subscription that returns a list is covered', () => {
  const lists = Object.values(schema.getSubscriptionType()!.getFields()).filter(givesMany);
  expect(Object.keys(live).sort()).toEqual(lists.map(({ name }) => name).sort());
});

test.each(Object.keys(live))('%s: a message with more items takes no more statements', async (name) => {
  const { db } = house.app;
  const own = db.forCenter(tenant.centerId);
  const pick = { select: { id: true }, orderBy: { id: 'desc' }, take: 5 } as const;
  known['evt'] = (await own.decisionEvent.findMany(pick)).map(({ id }) => id);
  const waiting = await house.graphql('{ approvalsForMe { edges { node { eventId } } } }', {}, lookers.admin);
  known['waiting'] = waiting.data.approvalsForMe.edges.map(
    ({ node }: { node: { eventId: string } }) => node.eventId,
  );
  known['aud'] = (await own.auditEntry.findMany(pick)).map(({ id }) => id);
  known['pay'] = (await own.payment.findMany(pick)).map(({ id }) => id);
  const centers = await db.acrossTenants.center.findMany(pick);
  known['center'] = centers.map(({ id }) => String(id));
  const sent = { where: { webhookId: tenant.ids['whk']!, attempts: { gt: 0 } } };
  known['msg'] = (await own.delivery.findMany(sent)).map(({ eventId }) => eventId);
  const { as = 'admin', document, tell } = live[name]!;
  const next = await watch(house, document, lookers[as]);
  await firstResult(next, () => tell(1));
  const hear = async (count: number) => {
    const statements = await statementsOf(house.app, async () => {
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
});

test('deliveries are read in one statement, so that no response mixes two states', async () => {
  const list = () => house.call('GET', `/v1/webhooks/${tenant.ids['whk']}/deliveries`, { token: tenant.key });
  expect((await list()).body.data.length).toBeGreaterThan(2);
  const statements = await statementsOf(house.app, list);
  expect(statements.filter(({ text }) => /FROM "public"\."delivery"/.test(text))).toHaveLength(1);
});
