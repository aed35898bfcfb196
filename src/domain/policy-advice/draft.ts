// A policy that is being written, among the policies in force.
import { exampleOf } from '@countersign/proof-kit/action-pattern';
import {
  type EffectivePolicy,
  effectivePolicy,
  type Policy,
  type PolicyGuards,
} from '@countersign/proof-kit/effective-policy';
import { DomainError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { type Context, currentCenterId } from '../context.ts';
import { namesOfOwnGroups } from '../memberships/groups.ts';
import { policiesInForce } from '../policies/in-force.ts';
import { findPolicy } from '../policies/list-policies.ts';
import type { PolicyDraftInput } from '../policies/policy-input.ts';
import { checkAuthority, groupsNamedIn, type Place, placeOf } from '../policies/policy-place.ts';

export interface PolicyDraft {
  centerId: number;
  policy: Policy;
  /** The policies in force in the caller's center now, and as they would be with the draft. */
  before: Policy[];
  after: Policy[];
  /** Whether the draft would apply in the caller's center: a policy of another country does not. */
  isLocal: boolean;
  groupNames: Map<string, string>;
}

/** The draft with what it depends on. Throws what saving it would throw. */
export async function readDraft(ctx: Context, input: PolicyDraftInput): Promise<PolicyDraft> {
  const centerId = currentCenterId(ctx);
  const changed = input.id == null ? null : await findPolicy(ctx, input.id);
  if (input.id != null && !changed) throw new DomainError('NOT_FOUND', 'Policy not found.');
  const place: Place = changed ?? placeOf(ctx, input);
  checkAuthority(ctx, place);
  const groupNames = await namesOfOwnGroups(ctx, groupsNamedIn(place, input.guards));
  const before = await policiesInForce(ctx.app.db, centerId);
  const policy: Policy = {
    id: changed?.id ?? newId('pol', ctx.now.getTime()),
    version: (changed?.version ?? 0) + 1,
    scope: place.scope,
    actionPattern: input.actionPattern,
    guards: input.guards as PolicyGuards,
  };
  const isLocal = await coversCenter(ctx, centerId, place);
  const others = before.filter(({ id }) => id !== policy.id);
  return { centerId, policy, before, after: isLocal ? [...others, policy] : others, isLocal, groupNames };
}

async function coversCenter(ctx: Context, centerId: number, place: Place): Promise<boolean> {
  if (place.scope === 'CENTER' || place.scope === 'GLOBAL') return true;
  const { settings } = await ctx.db.center.findUniqueOrThrow({
    where: { id: centerId },
    select: { settings: true },
  });
  const { country, partnerCountry, region } = settings as Record<string, unknown>;
  if (place.country !== (country ?? partnerCountry)) return false;
  return place.scope === 'COUNTRY' || place.region === region;
}

/** What all policies together require of the actions of the draft, as far as no narrower pattern covers them. */
export const effectiveOf = ({ after, policy }: PolicyDraft): EffectivePolicy =>
  effectivePolicy(after, { actionType: exampleOf(policy.actionPattern) });
