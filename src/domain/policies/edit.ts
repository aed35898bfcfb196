import { isActionPattern } from '@countersign/proof-kit/action-pattern';
import type { JsonValue } from '@countersign/proof-kit/canonical';
import { GUARDS } from '@countersign/proof-kit/decision';
import {
  demandNames,
  GLOBAL_BASELINE,
  GUARD_OF,
  type PolicyGuards,
} from '@countersign/proof-kit/effective-policy';
import { AUTHENTICATIONS } from '@countersign/proof-kit/guards';
import { MAX_SEAT_COUNT } from '@countersign/proof-kit/quorum';
import { z } from 'zod';
import type { Prisma } from '../../db/database.ts';
import type { Policy as PolicyRow } from '../../db/generated/prisma/client.ts';
import { EvidenceLevel, PolicyScope } from '../../db/generated/prisma/enums.ts';
import { DomainError, validationError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { plainText } from '../../lib/text.ts';
import { type Context, currentCenterId } from '../context.ts';
import { authoredEntry, type JournalContent } from '../ledger/chains/journal.ts';
import { beginPolicyChange } from '../ledger/sealer/policy-order.ts';
import { requireGroups } from '../memberships/groups.ts';
import { authorOf, centerIdOf, principalName } from '../principal.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { actionTypeRule } from './action-type.ts';

/** The guards that a policy can set, by the names used in findings and in `enforced`. */
const settable = GUARDS.filter((guard) => guard !== 'policy_existence');

const groupId = z.string().regex(/^grp_\w{1,60}$/, 'must be the id of an approval group');

const seat = z.object({
  group: groupId
    .nullish()
    .describe('The id of the approval group that can fill it, `grp_…`. Default: any person.'),
  count: z
    .int()
    .min(1)
    .max(MAX_SEAT_COUNT)
    .describe(`The number of different people, 1 to ${MAX_SEAT_COUNT}.`),
  authentication: z
    .enum(AUTHENTICATIONS)
    .nullish()
    .describe(
      'The least authentication of its approvers. Default: SESSION with a group, otherwise ASSERTED.',
    ),
});

const policyGuards = z
  .object({
    minimumEvidenceLevel: z
      .enum(EvidenceLevel)
      .nullish()
      .describe('The level below which nothing is sealed.'),
    humanReviewForAi: z.boolean().nullish().describe('Whether a person must approve decisions of an AI.'),
    riskThreshold: z
      .number()
      .min(0)
      .max(1)
      .nullish()
      .describe('From 0 to 1. Decisions with a higher risk score require a person.'),
    riskRequired: z
      .boolean()
      .nullish()
      .describe('Whether a decision without a risk score counts as the riskiest.'),
    dualApproval: z
      .boolean()
      .nullish()
      .describe('Whether two different people must approve. Approvals by machines do not count.'),
    approverAuthentication: z
      .enum(AUTHENTICATIONS)
      .nullish()
      .describe('The least authentication that an approver needs.'),
    passkeyAgeHours: z
      .int()
      .min(0)
      .max(720)
      .nullish()
      .describe(
        'How many hours before the approval a passkey must have been registered to count as SIGNED, 0 to 720. Default: 0.',
      ),
    quorum: z.array(seat).min(1).max(5).nullish().describe('1 to 5 seats, which different people must fill.'),
    quorumOrdered: z
      .boolean()
      .nullish()
      .describe('Whether a later seat waits until the earlier ones are filled.'),
    escalateAfterSeconds: z
      .int()
      .min(60)
      .max(604_800)
      .nullish()
      .describe(
        'How many seconds after the recording open seats escalate, 60 to 604,800. Requires `quorum` and `escalateToGroup`.',
      ),
    escalateToGroup: groupId
      .nullish()
      .describe('The id of the approval group that can fill open seats after the escalation, `grp_…`.'),
    enforced: z
      .array(z.enum(settable, `must be one of ${settable.join(', ')}`))
      .nullish()
      .describe('Names of guards, such as `dual_approval`, that narrower scopes can only tighten.'),
  })
  .check(({ value, issues }) => {
    const needs = (
      path: 'quorumOrdered' | 'escalateAfterSeconds' | 'escalateToGroup',
      other: keyof PolicyGuards,
    ) => {
      if (!value[path] || value[other] != null) return;
      const message = `needs ${other}`;
      issues.push({ code: 'custom', message, path: [path], input: value[path] });
    };
    needs('quorumOrdered', 'quorum');
    needs('escalateAfterSeconds', 'quorum');
    needs('escalateAfterSeconds', 'escalateToGroup');
    needs('escalateToGroup', 'escalateAfterSeconds');
    for (const [i, guard] of (value.enforced ?? []).entries()) {
      if (guard === 'quorum' && value.quorum != null) continue;
      if (demandNames.some((name) => GUARD_OF[name] === guard && value[name] != null)) continue;
      const message = `${guard} can only be enforced by a policy that sets it`;
      issues.push({ code: 'custom', message, path: ['enforced', i], input: guard });
    }
  });

const name = plainText(256).trim().min(1);
const actionPattern = plainText(256)
  .check(actionTypeRule)
  .refine(isActionPattern, 'must be an action type, a prefix followed by .*, or *');
/** A country is two ISO 3166 letters. A region has the name that centers use in their settings. */
const place = plainText(64).trim().min(1).nullish();

export const createPolicyInput = z.object({
  scope: z
    .enum(PolicyScope)
    .describe('CENTER for the current center. Other scopes require a platform admin.'),
  country: place.describe(
    'The country in which the policy holds, as in the settings of centers. Only for COUNTRY and REGION.',
  ),
  region: place.describe(
    'The region in which the policy holds, as in the settings of centers. Only for REGION.',
  ),
  name: name.describe('The name that people see.'),
  actionPattern: actionPattern.describe(
    'The action types that it covers: a type, a prefix followed by `.*`, or `*`.',
  ),
  guards: policyGuards.describe(
    'What the policy requires of decisions. Guards that are omitted are inherited from wider policies.',
  ),
});

export const updatePolicyInput = z.object({
  id: z.string().describe('The id of the policy, `pol_…`.'),
  expectedVersion: z
    .int()
    .nullish()
    .describe(
      'The version that you read. If the policy has another one by now, the change is refused with CONFLICT.',
    ),
  name: name.nullish().describe('The name that people see.'),
  actionPattern: actionPattern
    .nullish()
    .describe('The action types that it covers: a type, a prefix followed by `.*`, or `*`.'),
  guards: policyGuards.nullish().describe('What the policy requires from now on; replaces all its guards.'),
  active: z.boolean().nullish().describe('Whether it applies. An inactive policy is ignored.'),
});

export type CreatePolicyInput = z.infer<typeof createPolicyInput>;
export type UpdatePolicyInput = z.infer<typeof updatePolicyInput>;

/** Every policy in force is evaluated for each decision, so their number is limited. */
const MOST_IN_ONE_PLACE = 100;

/** Creates a policy: for the caller's center, or, for a platform admin, above centers. */
export async function createPolicy(ctx: Context, input: CreatePolicyInput): Promise<PolicyRow> {
  const where = placeOf(ctx, input);
  checkAuthority(ctx, where);
  return transact.acrossTenants(ctx, async (work) => {
    const at = await dated(ctx, work, where.centerId);
    await checkGroups(work, where, input.guards);
    const there = await work.db.policy.count({ where: { ...where, active: true } });
    if (there >= MOST_IN_ONE_PLACE) {
      throw new DomainError(
        'CONFLICT',
        `At most ${MOST_IN_ONE_PLACE} policies can be active; deactivate one first.`,
      );
    }
    const policy = await work.db.policy.create({
      data: {
        id: newId('pol'),
        ...where,
        name: input.name,
        actionPattern: input.actionPattern,
        guards: withoutUnset(input.guards),
        version: 1,
        createdAt: at,
        updatedAt: at,
      },
    });
    await keepVersion(ctx, work, policy);
    return policy;
  });
}

/** Writes the next version of a policy. Earlier versions stay on record. */
export async function updatePolicy(ctx: Context, input: UpdatePolicyInput): Promise<PolicyRow> {
  return transact.acrossTenants(ctx, async (work) => {
    const found = await work.db.policy.findUnique({ where: { id: input.id } });
    if (!found || !isVisible(ctx, found)) {
      throw new DomainError('NOT_FOUND', 'Policy not found.');
    }
    const at = await dated(ctx, work, found.centerId);
    // Read again, because it may have changed before the lock was granted.
    const policy = await work.db.policy.findUniqueOrThrow({ where: { id: input.id } });
    checkAuthority(ctx, policy);
    if (input.expectedVersion != null && input.expectedVersion !== policy.version) {
      throw new DomainError(
        'CONFLICT',
        `The policy has changed; it is now at version ${policy.version}. Read it again, then repeat the change.`,
      );
    }
    checkBaseline(policy.id, input);
    if (input.guards != null) await checkGroups(work, policy, input.guards);
    const changed = await work.db.policy.update({
      where: { id: policy.id },
      data: {
        version: policy.version + 1,
        updatedAt: at,
        ...(input.name != null && { name: input.name }),
        ...(input.actionPattern != null && { actionPattern: input.actionPattern }),
        ...(input.guards != null && { guards: withoutUnset(input.guards) }),
        ...(input.active != null && { active: input.active }),
      },
    });
    await keepVersion(ctx, work, changed);
    return changed;
  });
}

/** Orders the change after the seals that its policy affects, and dates it. */
async function dated(ctx: Context, work: Work, centerId: number | null): Promise<Date> {
  const at = await beginPolicyChange(work.db, centerId, ctx.now);
  work.notBefore(at);
  return at;
}

type Place = Pick<PolicyRow, 'scope' | 'country' | 'region' | 'centerId'>;

/** Where a policy applies, with only the members that its scope needs. */
function placeOf(ctx: Context, { scope, country, region }: CreatePolicyInput): Place {
  const required = (field: string, value: string | null | undefined) => {
    if (!value) throw validationError([{ path: field, message: `is required for the scope ${scope}` }]);
    return value;
  };
  switch (scope) {
    case 'GLOBAL':
      return { scope, country: null, region: null, centerId: null };
    case 'COUNTRY':
      return { scope, country: required('country', country), region: null, centerId: null };
    case 'REGION':
      return {
        scope,
        country: required('country', country),
        region: required('region', region),
        centerId: null,
      };
    case 'CENTER':
      return { scope, country: null, region: null, centerId: currentCenterId(ctx) };
  }
}

/** A center's policies are managed by its administrators, those above centers by platform admins. */
function checkAuthority({ principal }: Context, { scope }: Place): void {
  if (scope === 'CENTER' || principal.kind === 'system') return;
  if (principal.kind === 'actor' && principal.platformAdmin) return;
  throw new DomainError(
    'INSUFFICIENT_ROLE',
    `Only platform admins can manage policies with the scope ${scope}.`,
  );
}

/** Another center's policy is reported as not found. */
function isVisible(ctx: Context, { scope, centerId }: Place): boolean {
  return scope !== 'CENTER' || centerId === centerIdOf(ctx.principal);
}

function checkBaseline(id: string, { active, actionPattern: pattern }: UpdatePolicyInput): void {
  if (id !== GLOBAL_BASELINE.id) return;
  if (active === false || (pattern != null && pattern !== GLOBAL_BASELINE.actionPattern)) {
    throw new DomainError('FORBIDDEN', 'The baseline always exists and covers every action.');
  }
}

/** A group belongs to one center, so only a policy of that center can name it. */
async function checkGroups(work: Work, { scope, centerId }: Place, guards: PolicyGuards): Promise<void> {
  const named = [
    ...(guards.quorum ?? []).map(({ group }, i) => ({ path: `guards.quorum.${i}.group`, id: group })),
    { path: 'guards.escalateToGroup', id: guards.escalateToGroup },
  ].flatMap(({ path, id }) => (id == null ? [] : [{ path, id }]));
  if (scope === 'CENTER') return requireGroups(work.db, centerId!, named);
  if (named.length === 0) return;
  const message = `must be left out: a policy of the scope ${scope} covers several centers, and each has its own groups`;
  throw validationError(named.map(({ path }) => ({ path, message })));
}

/** By then, a statement that recorded a decision and read the policies before the change holds the head of the journal. */
const PLAN_AFTER_MS = 1_000;

async function keepVersion(ctx: Context, work: Work, policy: PolicyRow): Promise<void> {
  const { id, version, active, scope, centerId } = policy;
  await work.db.policyVersion.create({
    data: {
      policyId: id,
      version,
      name: policy.name,
      actionPattern: policy.actionPattern,
      guards: policy.guards as Prisma.InputJsonObject,
      active,
      changedById: principalName(ctx.principal),
      createdAt: policy.updatedAt,
    },
  });
  const detail = { change: 'policy', scope, version, active, guards: policy.guards };
  work.audit({ type: 'center.updated', target: id, detail, centerId });
  work.journal(
    authoredEntry(centerId, id, { author: authorOf(ctx.principal), content: versionEntry(policy) }),
  );
  if (centerId !== null) {
    const runAt = new Date(ctx.now.getTime() + PLAN_AFTER_MS);
    work.enqueue('plan_escalations', { centerId }, { runAt, key: `plan_escalations:${centerId}` });
  }
}

/** A complete version of a policy, so that its rules cannot be disputed later. */
function versionEntry(
  policy: Pick<PolicyRow, 'id' | 'version' | 'name' | 'actionPattern' | 'guards' | 'active'> & Place,
): JournalContent {
  const { id, version, scope, country, region, name, actionPattern, guards, active } = policy;
  return {
    kind: 'policy',
    policyId: id,
    version,
    scope,
    ...(country !== null && { country }),
    ...(region !== null && { region }),
    name,
    actionPattern,
    guards: guards as JsonValue,
    active,
  };
}

/** Stores only guards that are set. Absent guards are left to wider policies. */
function withoutUnset({ enforced, quorum, ...demands }: PolicyGuards): Prisma.InputJsonObject {
  const given = <T extends object>(members: T) =>
    Object.fromEntries(Object.entries(members).filter(([, value]) => value != null));
  return {
    ...given(demands),
    ...(quorum && { quorum: quorum.map(given) }),
    ...(enforced?.length && { enforced: [...new Set(enforced)].sort() }),
  };
}
