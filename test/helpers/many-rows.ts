import type { App } from '../../src/app.ts';
import { makeContext, systemContext } from '../../src/domain/context.ts';
import { addApproval } from '../../src/domain/decisions/approve/admission.ts';
import { claimDecision } from '../../src/domain/decisions/execute/claim.ts';
import { argumentsDigestOf, reportOutcome } from '../../src/domain/decisions/execute/outcome.ts';
import { addApprovalInput, outcomeInput, recordDecisionInput } from '../../src/domain/decisions/input.ts';
import { recordDecision } from '../../src/domain/decisions/record/record.ts';
import { checkpointNow } from '../../src/domain/ledger/signing/proofs.ts';
import { newId } from '../../src/lib/ids.ts';
import { type ForeignTenant, makeOneMore } from './foreign.ts';
import { makeCenter, makeKey, makeMember, makeMembership, makePartner, makeToken } from './world.ts';

/** The users who read the lists of a tenant. */
export interface Lookers {
  admin: string;
  partner: string;
  parent: string;
  parentId: string;
  /** A platform admin. */
  root: string;
  /** An API key. */
  key: string;
}

/** A tenant's current lists, and one more row in each, with something in every nested list. */
export async function addRows(app: App, tenant: ForeignTenant, lookers: Lookers, round: number) {
  const { centerId, partnerId, actorId, mark } = tenant;
  const db = app.db.acrossTenants;
  const before = { ...tenant.ids };
  await makeOneMore(app, tenant, [
    'mbr',
    'scm',
    'dpu',
    'mnd',
    'grp',
    'dlg',
    'msg',
    'whk',
    'wf',
    'exe',
    'pol',
  ]);
  const made = tenant.ids;
  tenant.ids = { ...made, whk: before['whk']!, wf: before['wf']!, exe: before['exe']!, pol: before['pol']! };

  const dpuId = made['dpu']!;
  const startsAt = new Date(Date.UTC(2031, 0, 7, round));
  const people = { instructorId: tenant.instructorId, bookedForId: actorId, bookedById: actorId };
  const endsAt = new Date(startsAt.getTime() + 1_800_000);
  await db.booking.create({ data: { id: newId('bkg'), centerId, ...people, startsAt, endsAt, note: mark } });
  const session = { sessionRef: `${mark} ${round}`, method: mark, occurredAt: startsAt };
  await db.attendance.create({
    data: { id: newId('att'), centerId, dpuId, attendeeId: actorId, ...session },
  });
  const course = { title: mark, courseRef: `${mark} ${round}`, issuedAt: startsAt };
  await db.certificate.create({ data: { id: newId('crt'), centerId, dpuId, learnerId: actorId, ...course } });
  const payment = { amount: 1, currency: 'EUR', status: 'COMPLETED' as const, occurredAt: new Date() };
  const owner = { centerId, partnerId, subscriptionId: tenant.ids['sub']! };
  await db.payment.create({
    data: { id: newId('pay'), ...owner, ...payment, reference: `${mark} ${round}` },
  });
  await makeKey(app, centerId);
  await makePartner(app);
  await makeToken(app, actorId, centerId);
  const child = await makeMember(app, centerId, 'CHILD');
  await db.guardianship.create({ data: { centerId, guardianId: lookers.parentId, childId: child.actor.id } });
  const guardian = await makeMember(app, centerId, 'PARENT');
  await db.guardianship.create({ data: { centerId, guardianId: guardian.actor.id, childId: actorId } });
  const { id: otherCenter } = await makeCenter(app, { partnerId });
  for (const person of [actorId, child.actor.id]) await makeMembership(app, person, otherCenter);
  await db.passkey.create({
    data: {
      id: newId('psk'),
      actorId,
      credentialId: `credential ${newId('psk')}`,
      coseKey: new Uint8Array(1),
      publicKey: new Uint8Array(1),
      fingerprint: 'x',
      name: mark,
    },
  });
  const plan = { kind: 'CENTER' as const, name: mark, priceMonthly: 1, currency: 'EUR', seatLimit: 1 };
  await db.plan.create({ data: { ...plan, id: `${mark}-${round}`, features: [] } });

  await addCompanySignIn(app, tenant, round);

  // The new rows get nested rows, and the existing ones get one more.
  for (const [i, { wf, exe, pol, whk }] of [made, before].entries()) {
    const number = i === 0 ? 1 : round + 1;
    const steps = { name: mark, kind: 'wait', status: 'COMPLETED' as const };
    await db.workflowStepRun.create({ data: { executionId: exe!, position: number, ...steps } });
    if (i === 1) await db.workflowVersion.create({ data: { workflowId: wf!, version: number, steps: [] } });
    await db.policyVersion.create({
      data: { policyId: pol!, version: number, name: mark, actionPattern: mark, guards: {}, active: false },
    });
    const key = { webhookId: whk!, eventId: made['msg']! };
    if (i === 1) await db.delivery.create({ data: { centerId, ...key } });
    await db.delivery.updateMany({ where: key, data: { attempts: 2, status: 'success' } });
    const attempt = { startedAt: new Date(), durationMs: 1, responseStatus: 200 };
    await db.deliveryAttempt.createMany({
      data: [1, 2].map((each) => ({ ...key, number: each, ...attempt })),
    });
  }
  for (const workflowId of [before['wf']!, made['wf']!]) {
    const facts = { version: 1, status: 'COMPLETED' as const, startedBy: mark, parameters: {} };
    const dpu = workflowId === made['wf'] ? { dpuId } : {};
    const steps = { create: { position: 0, name: mark, kind: 'wait', status: 'COMPLETED' as const } };
    await db.workflowExecution.create({
      data: { id: newId('exe'), centerId, workflowId, ...facts, ...dpu, steps },
    });
  }
  const question = { prompt: mark, roles: ['ADMIN', 'INSTRUCTOR'] };
  const waiting = { position: 0, name: mark, kind: 'human_review', status: 'WAITING' as const };
  await db.workflowExecution.create({
    data: {
      id: newId('exe'),
      centerId,
      workflowId: made['wf']!,
      version: 1,
      status: 'AWAITING_REVIEW',
      startedBy: mark,
      steps: { create: { ...waiting, input: question } },
    },
  });
  const { settings } = await db.center.findUniqueOrThrow({ where: { id: centerId } });
  const words = { type: mark, label: mark, members: [{ path: mark, label: mark }] };
  await db.center.update({
    where: { id: centerId },
    data: { settings: { ...(settings as object), actionTypes: [words] } },
  });
  await decide(app, tenant, mark);
  const ruled = `${mark}-quorum-${round}`;
  const rule = { name: mark, actionPattern: ruled, version: 1, guards: { quorum: [{ count: 1 }] } };
  await db.policy.create({ data: { id: newId('pol'), scope: 'CENTER', centerId, ...rule } });
  await decide(app, tenant, ruled);
  await checkpointNow(systemContext(app, 'test', centerId), 'platform');
}

/** One pending decision, and one that is sealed, approved and carried out. */
async function decide(app: App, { centerId, mark, ids }: ForeignTenant, actionType: string) {
  const ctx = systemContext(app, 'test', centerId);
  const input = recordDecisionInput.parse({
    type: 'agent_execution',
    actor: { id: mark, type: 'ai_agent', name: mark },
    action: { type: actionType, description: mark, input: { mark } },
    aiContext: { model: mark },
  });
  await recordDecision(ctx, input);
  const { event } = await recordDecision(ctx, input);
  const approver = { id: `${mark} approver`, type: 'human' as const, name: mark };
  // Only an API key or a member fills a seat; the service itself does not.
  const scopes = ['proof:write'] as const;
  const principal = {
    kind: 'apiKey',
    keyId: ids['key']!,
    centerId,
    scopes,
    ratePerMinute: null,
    featuresOff: {},
  } as const;
  const byKey = makeContext({ app, principal, requestId: 'test' });
  await addApproval(byKey, event.id, addApprovalInput.parse({ approver, result: 'approved', reason: mark }));
  const digest = `sha256:${argumentsDigestOf({ mark })}`;
  await claimDecision(ctx, event.id);
  await reportOutcome(ctx, event.id, outcomeInput.parse({ status: 'executed', argumentsDigest: digest }));
}

/** The provider of the center, a failed sign-in, an email domain, and the newest member's entry in the directory. */
async function addCompanySignIn({ db }: App, tenant: ForeignTenant, round: number) {
  const { centerId, actorId, mark, ids } = tenant;
  const all = db.acrossTenants;
  const client = {
    name: 'Company Login',
    issuer: `https://${mark}.test`,
    clientId: mark,
    clientSecret: mark,
  };
  const lists = {
    roleByGroup: [{ group: mark, role: 'PARENT' }],
    requiredClaims: [{ claim: 'tid', value: mark }],
  };
  await all.identityProvider.upsert({
    where: { centerId },
    create: { centerId, ...client, ...lists, scopes: ['openid'], groupsClaim: 'groups' },
    update: {},
  });
  const failure = { code: 'FORBIDDEN', reason: mark, requestId: mark };
  await all.providerFailure.create({ data: { id: newId('pfl'), centerId, ...failure } });
  const center = await all.center.findUniqueOrThrow({ where: { id: centerId } });
  await all.center.update({
    where: { id: centerId },
    data: { settings: { ...(center.settings as object), emailDomains: [`${mark}-${round}.test`] } },
  });
  const subject = { issuer: client.issuer, subject: `${mark} ${round}` };
  await all.identity.create({ data: { id: newId('idn'), centerId, actorId, ...subject } });
  const userName = `${mark} ${round}`;
  const user = { centerId, userName, userNameKey: userName.toLowerCase(), email: `${round}@${mark}.test` };
  await all.scimUser.create({ data: { membershipId: ids['mbr']!, ...user } });
}
