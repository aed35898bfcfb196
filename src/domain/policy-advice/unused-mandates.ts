// Mandates that a policy would make useless.
import {
  exampleOf,
  isActionPattern,
  matchesAction,
  specificity,
} from '@countersign/proof-kit/action-pattern';
import type { Policy } from '@countersign/proof-kit/effective-policy';
import type { GuardName } from '@countersign/proof-kit/guards';
import { sql, typed } from '../../db/sql.ts';
import { type Context, ownRows } from '../context.ts';
import { isExhausted, type MandateTerms } from '../decisions/mandates/terms.ts';
import { evaluate } from '../policies/evaluate.ts';
import type { PolicyDraft } from './draft.ts';
import { type PolicyWarning, warning } from './warning.ts';

const ACTIVE_MANDATES = sql('active_mandates', {
  id: 'text',
  used: 'int',
  spent: 'float8',
  terms: typed<MandateTerms>('json'),
})`
  SELECT m.id, m.used, m.spent, e.large -> 'action.input' AS terms
  FROM mandate m JOIN decision_event e ON e.id = m.event_id
  WHERE m.center_id = $centerId AND m.revoked_at IS NULL AND e.status = 'sealed'
    AND e.large #>> '{action.input,validUntil}' >= $now
  ORDER BY m.id DESC LIMIT 200`;

const MOST_NAMED = 5;

/** The members of the input that such a guard belongs to, and what it asks for. */
const OBSTACLES: { [Name in GuardName]?: [path: string, reason: (policy: Policy) => string] } = {
  dual_approval: ['guards.dualApproval', () => 'requires two approvers'],
  approver_authentication: [
    'guards.approverAuthentication',
    ({ guards }) =>
      guards.approverAuthentication === 'SIGNED'
        ? 'requires a passkey'
        : 'requires approvers who are signed in',
  ],
};

/** The active mandates that the draft makes useless for at least some of their actions. */
export async function mandateWarnings(ctx: Context, draft: PolicyDraft): Promise<PolicyWarning[]> {
  const { policy, after, centerId, isLocal } = draft;
  if (!isLocal || (!policy.guards.dualApproval && policy.guards.approverAuthentication == null)) return [];
  const rows = await ACTIVE_MANDATES.rows(ownRows(ctx), { centerId, now: ctx.now.toISOString() });
  const found = rows.flatMap(({ terms, ...used }) => {
    const shared = sharedPattern(terms.actionPattern, policy.actionPattern);
    if (shared === null || isExhausted(terms, used)) return [];
    const action = exampleOf(shared);
    const obstacle = obstacleOf(after, action);
    if (obstacle?.policy !== policy.id) return [];
    const [path, reason] = OBSTACLES[obstacle.guard] ?? [];
    return path && reason ? [{ path, reason: reason(policy), agent: terms.agent.id, shared }] : [];
  });
  const named = found
    .slice(0, MOST_NAMED)
    .map(({ path, reason, agent, shared }) =>
      warning(
        path,
        `The mandate of “${agent}” for ${shared} would never be used, because this policy ${reason}.`,
      ),
    );
  const more = found.length - named.length;
  const rest = more === 1 ? 'Another mandate' : `Another ${more} mandates`;
  return more > 0
    ? [...named, warning(found[0]!.path, `${rest} would never be used for the same reason.`)]
    : named;
}

/** The actions that two patterns both cover: those of the narrower one, or null. */
function sharedPattern(one: string, other: string): string | null {
  const [narrow, wide] = specificity(one) >= specificity(other) ? [one, other] : [other, one];
  if (!isActionPattern(narrow)) return null;
  return wide === narrow || matchesAction(wide, exampleOf(narrow)) ? narrow : null;
}

/** The guard that keeps a mandate from approving an action, whatever the request; the same evaluation as for a call. */
function obstacleOf(policies: readonly Policy[], actionType: string) {
  const { policy } = evaluate(policies, {
    actionType,
    eventType: 'agent_execution',
    actorId: 'agent',
    actorType: 'ai_agent',
    hasAiContext: true,
    riskScore: 1,
    evidenceLevel: 'AUDIT_READY',
    underMandate: true,
    approvals: [{ approverId: 'mandate', approverType: 'system', result: 'approved', byKind: 'mandate' }],
  });
  return policy.guards.find(({ verdict }) => verdict !== 'pass');
}
