// Where a policy applies, and who may change it there.
import { GLOBAL_BASELINE, type PolicyGuards } from '@countersign/proof-kit/effective-policy';
import type { Policy as PolicyRow } from '../../db/generated/prisma/client.ts';
import { DomainError, validationError } from '../../lib/errors.ts';
import { type Context, currentCenterId } from '../context.ts';
import { centerIdOf } from '../principal.ts';
import type { CreatePolicyInput, UpdatePolicyInput } from './policy-input.ts';

export type Place = Pick<PolicyRow, 'scope' | 'country' | 'region' | 'centerId'>;

/** Where a policy applies, with only the members that its scope needs. */
export function placeOf(
  ctx: Context,
  { scope, country, region }: Pick<CreatePolicyInput, 'scope' | 'country' | 'region'>,
): Place {
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
export function checkAuthority({ principal }: Context, { scope }: Place): void {
  if (scope === 'CENTER' || principal.kind === 'system') return;
  if (principal.kind === 'actor' && principal.platformAdmin) return;
  throw new DomainError(
    'INSUFFICIENT_ROLE',
    `Only platform admins can manage policies with the scope ${scope}.`,
  );
}

/** Another center's policy is reported as not found. */
export function isVisible(ctx: Context, { scope, centerId }: Place): boolean {
  return scope !== 'CENTER' || centerId === centerIdOf(ctx.principal);
}

export function checkBaseline(id: string, { active, actionPattern: pattern }: UpdatePolicyInput): void {
  if (id !== GLOBAL_BASELINE.id) return;
  if (active === false || (pattern != null && pattern !== GLOBAL_BASELINE.actionPattern)) {
    throw new DomainError('FORBIDDEN', 'The baseline always exists and covers every action.');
  }
}

/** The groups that a policy names, with their places in the input. Throws unless it is a policy of one center. */
export function groupsNamedIn({ scope }: Place, guards: PolicyGuards): { path: string; id: string }[] {
  const named = [
    ...(guards.quorum ?? []).map(({ group }, i) => ({ path: `guards.quorum.${i}.group`, id: group })),
    { path: 'guards.escalateToGroup', id: guards.escalateToGroup },
  ].flatMap(({ path, id }) => (id == null ? [] : [{ path, id }]));
  if (named.length === 0 || scope === 'CENTER') return named;
  const message = `must be left out: a policy of the scope ${scope} covers several centers, and each has its own groups`;
  throw validationError(named.map(({ path }) => ({ path, message })));
}
