import type { PolicyGuards } from '@countersign/proof-kit/effective-policy';
import type { Policy as PolicyRow } from '../../db/generated/prisma/client.ts';
import { DomainError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Context } from '../context.ts';
import { beginPolicyChange } from '../ledger/sealer/policy-order.ts';
import { requireGroups } from '../memberships/groups.ts';
import { transact, type Work } from '../unit-of-work.ts';
import type { CreatePolicyInput, UpdatePolicyInput } from './policy-input.ts';
import {
  checkAuthority,
  checkBaseline,
  groupsNamedIn,
  isVisible,
  type Place,
  placeOf,
} from './policy-place.ts';
import { keepVersion, withoutUnset } from './policy-versions.ts';

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
    await keepVersion(ctx, work, policy, null);
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
    await keepVersion(ctx, work, changed, policy);
    return changed;
  });
}

/** Orders the change after the seals that its policy affects, and dates it. */
async function dated(ctx: Context, work: Work, centerId: number | null): Promise<Date> {
  const at = await beginPolicyChange(work.db, centerId, ctx.now);
  work.notBefore(at);
  return at;
}

/** A group belongs to one center, so only a policy of that center can name it. */
async function checkGroups(work: Work, place: Place, guards: PolicyGuards): Promise<void> {
  const named = groupsNamedIn(place, guards);
  if (named.length > 0) await requireGroups(work.db, place.centerId!, named);
}
