import { randomBytes } from 'node:crypto';
import type { App } from '../../src/app.ts';
import { makeContext, systemContext } from '../../src/domain/context.ts';
import { addApproval } from '../../src/domain/decisions/approve/admission.ts';
import { addApprovalInput, recordDecisionInput } from '../../src/domain/decisions/input.ts';
import { requestMandate } from '../../src/domain/decisions/mandates/mandates.ts';
import { recordDecision } from '../../src/domain/decisions/record/record.ts';
import { checkpointNow } from '../../src/domain/ledger/signing/proofs.ts';
import { saveChatChannel } from '../../src/domain/notifications/chat-channels.ts';
import { transact } from '../../src/domain/unit-of-work.ts';
import { type IdPrefix, newId } from '../../src/lib/ids.ts';
import { makeKey, makeMember, makePartner } from './world.ts';

/**
 * A tenant that must stay hidden from all others: one object of each kind, with the tenant's mark in every text. A new kind of
 * object gets its fixture here, and every walk over the API tries to reach it from outside.
 */
export interface ForeignTenant {
  /** Contained in every name and text of the tenant; outsiders must never see it. */
  mark: string;
  centerId: number;
  domain: string;
  partnerId: string;
  actorId: string;
  instructorId: string;
  /** Owners, who can see all of it. */
  token: string;
  partnerToken: string;
  key: string;
  /** One id of each kind. */
  ids: Record<string, string>;
}

type Fixture = (app: App, tenant: ForeignTenant) => Promise<string>;

/** Created in this order; later ones may use the ids of earlier ones. */
const fixtures: Partial<Record<IdPrefix, Fixture>> = {
  key: async ({ db }, { centerId, mark }) => {
    const key = await db.forCenter(centerId).apiKey.findFirstOrThrow();
    await db.acrossTenants.apiKey.update({ where: { id: key.id }, data: { name: mark } });
    return key.id;
  },
  scm: async ({ db }, { centerId, mark }) => {
    const data = {
      id: newId('scm'),
      centerId,
      publicId: randomBytes(4).toString('hex'),
      secretHash: '',
      name: mark,
    };
    return (await db.acrossTenants.scimToken.create({ data })).id;
  },
  ses: async ({ db }, { actorId }) =>
    (await db.acrossTenants.session.findFirstOrThrow({ where: { actorId } })).id,
  mbr: async (app, { centerId, mark }) =>
    (await makeMember(app, centerId, 'CHILD', { name: mark })).membership.id,
  dpu: ({ db }, { centerId, mark, actorId }) => makeDpu(db, centerId, 'platform', mark, actorId),
  avl: async ({ db }, { centerId, instructorId }) => {
    const times = { startMinute: 0, endMinute: 1_440, slotMinutes: 30 };
    const rules = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
      ...{ id: newId('avl'), centerId, instructorId, weekday },
      ...times,
    }));
    await db.acrossTenants.availabilityRule.createMany({ data: rules });
    return rules[0]!.id;
  },
  bkg: async ({ db }, { centerId, instructorId, actorId, mark }) => {
    const people = { instructorId, bookedForId: actorId, bookedById: actorId };
    const times = { startsAt: new Date('2031-01-06T09:00:00Z'), endsAt: new Date('2031-01-06T09:30:00Z') };
    const data = { id: newId('bkg'), centerId, ...people, ...times, note: mark };
    return (await db.acrossTenants.booking.create({ data })).id;
  },
  att: async ({ db }, { centerId, actorId, mark, ids }) => {
    const facts = { attendeeId: actorId, sessionRef: mark, method: mark, occurredAt: new Date() };
    const data = { id: newId('att'), centerId, dpuId: ids['dpu']!, ...facts };
    return (await db.acrossTenants.attendance.create({ data })).id;
  },
  crt: async ({ db }, { centerId, actorId, mark, ids }) => {
    const facts = { learnerId: actorId, title: mark, courseRef: mark, issuedAt: new Date() };
    const data = { id: newId('crt'), centerId, dpuId: ids['dpu']!, ...facts };
    return (await db.acrossTenants.certificate.create({ data })).id;
  },
  // One pending decision, and one sealed decision with its evidence and approval.
  evt: async (app, { centerId, mark, ids }) => {
    const ctx = systemContext(app, 'test', centerId);
    // The service itself does not approve on behalf of a person.
    const by = { kind: 'apiKey', keyId: 'key_test', centerId, ratePerMinute: null, featuresOff: {} } as const;
    const byKey = makeContext({ app, principal: { ...by, scopes: ['proof:write'] } });
    const input = recordDecisionInput.parse({
      type: 'custom',
      actor: { id: mark, type: 'human', name: mark },
      action: { type: mark, description: mark, input: { mark }, output: { mark } },
      tags: [mark],
    });
    const sealed = (await recordDecision(ctx, input)).event;
    ids['sealed event'] = sealed.id;
    ids['dec'] = sealed.head.decisionId;
    ids['evd'] = sealed.evidence.id;
    const approver = { id: mark, type: 'human' as const, name: mark };
    const approval = { approver, result: 'approved' as const, reason: mark };
    ids['apr'] = (await addApproval(byKey, sealed.id, addApprovalInput.parse(approval))).approvalId;
    return (await recordDecision(ctx, input)).event.id;
  },
  mnd: async (app, { centerId, mark, ids }) => {
    const validUntil = new Date(Date.now() + 86_400_000);
    const budget = { member: 'amount', limit: 100 };
    const limits = { actionPattern: 'refund.*', budget, validUntil, reason: mark };
    const terms = { agent: { id: mark }, keys: [ids['key']!], ...limits };
    return (await requestMandate(systemContext(app, 'test', centerId), terms)).mandateId;
  },
  grp: async ({ db }, { centerId, mark, ids }) => {
    const id = newId('grp');
    const members = { create: { membershipId: ids['mbr']!, centerId } };
    await db.acrossTenants.approvalGroup.create({ data: { id, centerId, name: `${mark} ${id}`, members } });
    return id;
  },
  cht: async (app, { centerId, mark }) => {
    const input = { name: mark, url: `http://127.0.0.1:9/${mark}`, kind: 'GENERIC' as const };
    return (await saveChatChannel(systemContext(app, 'test', centerId), input)).id;
  },
  ptt: async ({ db }, { centerId, actorId, mark }) => {
    const person = { membershipId: null, name: mark, action: 'CREATE' };
    const result = {
      status: 'SUCCEEDED',
      code: null,
      reason: null,
      claims: { sub: mark },
      role: 'PARENT',
      person,
    };
    const expiresAt = new Date(Date.now() + 86_400_000);
    const data = { id: newId('ptt'), centerId, actorId, issuer: mark, settings: mark, result, expiresAt };
    return (await db.acrossTenants.providerTest.create({ data })).id;
  },
  idn: async ({ db }, { centerId, actorId, mark }) => {
    const data = { id: newId('idn'), centerId, actorId, issuer: mark, subject: mark };
    return (await db.acrossTenants.identity.create({ data })).id;
  },
  dlg: async ({ db }, { centerId, actorId, mark, ids }) => {
    const own = await db.forCenter(centerId).membership.findFirstOrThrow({ where: { actorId } });
    const parties = { fromMembershipId: own.id, toMembershipId: ids['mbr']! };
    const period = { startsAt: new Date(), endsAt: new Date(Date.now() + 86_400_000) };
    const data = { id: newId('dlg'), centerId, ...parties, ...period, reason: mark };
    return (await db.acrossTenants.delegation.create({ data })).id;
  },
  msg: async ({ db }, { centerId, mark }) => {
    const data = { id: newId('msg'), centerId, type: 'payment.completed', data: { mark } };
    return (await db.acrossTenants.platformEvent.create({ data })).id;
  },
  whk: async ({ db, vault }, { centerId, mark, ids }) => {
    const id = newId('whk');
    const facts = { url: `https://${mark}.test/`, events: ['*'], description: mark, active: false };
    const secret = vault.seal(`whsec_${mark}`, id);
    await db.acrossTenants.webhook.create({ data: { id, centerId, secret, ...facts } });
    await db.acrossTenants.delivery.create({
      data: { centerId, webhookId: id, eventId: ids['msg']!, attempts: 1 },
    });
    return id;
  },
  wf: async ({ db }, { centerId, mark }) => {
    const id = newId('wf');
    const facts = { name: mark, description: mark, type: 'MANUAL' as const, vertical: 'welfare' as const };
    await db.acrossTenants.workflow.create({
      data: { id, centerId, ...facts, versions: { create: { version: 1, steps: [] } } },
    });
    return id;
  },
  exe: async ({ db }, { centerId, mark, ids }) => {
    const facts = { version: 1, status: 'COMPLETED' as const, startedBy: mark, parameters: { mark } };
    const data = { id: newId('exe'), centerId, workflowId: ids['wf']!, ...facts };
    return (await db.acrossTenants.workflowExecution.create({ data })).id;
  },
  pol: async ({ db }, { centerId, mark }) => {
    const facts = { name: mark, actionPattern: mark, version: 1, guards: {} };
    const data = { id: newId('pol'), scope: 'CENTER' as const, centerId, ...facts };
    return (await db.acrossTenants.policy.create({ data })).id;
  },
  chk: async (app, { centerId }) =>
    (await checkpointNow(systemContext(app, 'test', centerId), 'platform')).id,
  sub: async ({ db }, { centerId, mark }) => {
    const plan = { id: mark, kind: 'CENTER' as const, name: mark, priceMonthly: 1, currency: 'EUR' };
    await db.acrossTenants.plan.create({ data: { ...plan, seatLimit: 10, features: [] } });
    const period = { currentPeriodStart: new Date(), currentPeriodEnd: new Date('2031-01-01') };
    const data = { id: newId('sub'), centerId, planId: mark, status: 'ACTIVE' as const, seatLimit: 10 };
    return (await db.acrossTenants.subscription.create({ data: { ...data, ...period } })).id;
  },
  pay: async ({ db }, { centerId, partnerId, mark, ids }) => {
    const facts = { amount: 1, currency: 'EUR', reference: mark, occurredAt: new Date() };
    const data = { id: newId('pay'), centerId, partnerId, status: 'COMPLETED' as const, ...facts };
    const row = { ...data, subscriptionId: ids['sub']! };
    return (await db.acrossTenants.payment.create({ data: row })).id;
  },
  ptn: async (_, { partnerId }) => partnerId,
  aud: async (app, { centerId, actorId, mark }) => {
    await transact(systemContext(app, 'test', centerId), async ({ audit }) =>
      audit({ type: 'center.updated', target: mark, detail: { mark }, actor: { id: actorId, email: mark } }),
    );
    return (await app.db.forCenter(centerId).auditEntry.findFirstOrThrow({ where: { actorId } })).id;
  },
};

async function makeDpu(
  db: App['db'],
  centerId: number,
  domain: string,
  mark: string,
  actorId: string,
): Promise<string> {
  const id = newId('dpu');
  await db.declared([centerId]).query(
    `INSERT INTO dpu (id, center_id, chain_id, index, domain, vertical, evidence_level, actor_id, reference_id, tags,
       metadata)
     SELECT $1, $2, a.chain_id, a.index, $3, 'welfare', 'DRAFT', $5, $5, ARRAY[$4], jsonb_build_object('mark', $4::text)
     FROM ledger_append(ledger_chain_for($2, $3), ARRAY[$4], $6) a`,
    [id, centerId, domain, mark, actorId, new Date().toISOString()],
  );
  return id;
}

export async function makeForeignTenant(app: App): Promise<ForeignTenant> {
  const mark = `foreign-${randomBytes(6).toString('hex')}`;
  const { partner, centers, token: partnerToken } = await makePartner(app);
  const [center] = centers;
  await app.db.acrossTenants.partner.update({ where: { id: partner.id }, data: { name: mark } });
  const { centerDomain } = await app.db.acrossTenants.center.update({
    where: { id: center!.id },
    data: {
      name: mark,
      description: mark,
      centerDomain: mark.replace('foreign', 'hidden'),
      settings: { timezone: 'UTC', mark },
    },
  });
  const { actor, token } = await makeMember(app, center!.id, 'ADMIN', {
    name: mark,
    email: `${mark}@example.test`,
  });
  const instructor = await makeMember(app, center!.id, 'INSTRUCTOR', { name: mark });
  const key = await makeKey(app, center!.id);
  const tenant: ForeignTenant = {
    mark,
    centerId: center!.id,
    domain: centerDomain,
    partnerId: partner.id,
    actorId: actor.id,
    instructorId: instructor.actor.id,
    token,
    partnerToken,
    key,
    ids: {},
  };
  for (const [prefix, make] of Object.entries(fixtures)) tenant.ids[prefix] = await make(app, tenant);
  return tenant;
}

/** Creates one more object of each of these kinds. Dependent objects use the new ones. */
export async function makeOneMore(
  app: App,
  tenant: ForeignTenant,
  kinds: readonly IdPrefix[],
): Promise<void> {
  tenant.ids = { ...tenant.ids };
  for (const kind of kinds) tenant.ids[kind] = await fixtures[kind]!(app, tenant);
}

/** Every row of the tenant as text, to compare before and after the actions of outsiders. */
export async function rowsOf(app: App, { centerId, partnerId, actorId }: ForeignTenant): Promise<string[]> {
  const db = app.db.declared('acrossTenants');
  if (!tablesOfCenters) {
    const { rows } = await db.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns
       WHERE column_name = 'center_id' AND table_schema = 'public' ORDER BY 1`,
    );
    tablesOfCenters = rows.map(({ name }) => name);
  }
  const parts: [table: string, condition: string][] = [
    ...tablesOfCenters.map((name): [string, string] => [name, 't.center_id = $1']),
    ['center', 't.id = $1'],
    ['partner', 't.id = $2'],
    ['partner_membership', 't.partner_id = $2'],
    ['actor', 't.id = $3'],
    ['guardianship', 't.guardian_id = $3 OR t.child_id = $3'],
  ];
  const { rows } = await db.query<{ row: string }>(
    `${parts
      .map(
        ([table, condition]) =>
          `SELECT '${table} ' || to_jsonb(t)::text AS row FROM ${table} t WHERE ${condition}`,
      )
      .join(' UNION ALL ')} ORDER BY 1`,
    [centerId, partnerId, actorId],
  );
  return rows.map(({ row }) => row);
}

let tablesOfCenters: string[] | undefined;
