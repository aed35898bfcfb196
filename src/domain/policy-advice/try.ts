// What a policy would have changed for the requests of the last days.
import { matchesAction } from '@countersign/proof-kit/action-pattern';
import type { AttributedFinding, Policy } from '@countersign/proof-kit/effective-policy';
import { guardNeed } from '@countersign/proof-kit/guard-sentences';
import { isMandateGrant } from '@countersign/proof-kit/guards';
import type { GroupName } from '@countersign/proof-kit/seat-sentences';
import { type RowOf, sql, typed } from '../../db/sql.ts';
import { firstIdAt } from '../../lib/ids.ts';
import { type Context, ownRows } from '../context.ts';
import { namesOfGroups } from '../memberships/groups.ts';
import { evaluate, type PolicyFacts } from '../policies/evaluate.ts';
import type { PolicyDraftInput } from '../policies/policy-input.ts';
import { evaluateUnattended, type Outcome, unattendedOutcome } from '../policies/unattended.ts';
import { readDraft } from './draft.ts';

const DAYS = 30;
/** The newest of them. */
export const MOST_TRIED = 1_000;
const MOST_LISTED = 100;

/** Only what policies look at: no input, no output and no texts. */
const RECENT = sql('requests_to_try', {
  id: 'text',
  source: 'decision_source',
  type: 'decision_event_type',
  actionType: 'text',
  actorId: 'text?',
  actorName: 'text?',
  actorType: typed<string>('text'),
  hasAiContext: 'boolean',
  riskScore: 'float8?',
  hasReason: 'boolean',
  underMandate: 'boolean',
  createdAt: 'timestamptz',
})`
  SELECT e.id, e.source, e.type, e.action_type AS "actionType", e.actor_id AS "actorId", e.actor_name AS "actorName",
    e.actor_type AS "actorType", e.content ? 'aiContext' AS "hasAiContext",
    (e.content ->> 'riskScore')::float8 AS "riskScore",
    $withReasons::boolean AND (coalesce(e.content #>> '{action,description}', '') ~ '[^[:space:]]'
      OR coalesce(e.content #>> '{aiContext,reasoning}', '') ~ '[^[:space:]]') AS "hasReason",
    e.source = 'AGENT' AND EXISTS (SELECT FROM approval a
      WHERE a.event_id = e.id AND a.center_id = $centerId AND a.content #>> '{by,kind}' = 'mandate') AS "underMandate",
    e.created_at AS "createdAt"
  FROM decision_event e WHERE e.center_id = $centerId AND e.id >= $first
  ORDER BY e.id DESC LIMIT ${MOST_TRIED + 1}`;

type Request = RowOf<typeof RECENT>;

/** A request that the policy would have settled in another way. */
export interface TriedRequest {
  eventId: string;
  actionType: string;
  agent: string | null;
  recordedAt: Date;
  before: Outcome;
  after: Outcome;
  needs: string[];
}

export interface PolicyTrial {
  since: Date;
  isComplete: boolean;
  covered: number;
  waitingBefore: number;
  waiting: number;
  changed: number;
  changes: TriedRequest[];
}

/** Compares the policies in force now with the same policies and the draft. The past itself may have had other ones. */
export async function tryPolicy(ctx: Context, input: PolicyDraftInput): Promise<PolicyTrial> {
  const { policy, before, after, centerId } = await readDraft(ctx, input);
  const since = new Date(ctx.now.getTime() - DAYS * 86_400_000);
  const withReasons = [...before, ...after].some(
    ({ guards }) => guards.minimumEvidenceLevel === 'AUDIT_READY',
  );
  const first = firstIdAt('evt', since);
  const rows = await RECENT.rows(ownRows(ctx), { centerId, first, withReasons });
  const patterns = [policy, ...before.filter(({ id }) => id === policy.id)].map(
    ({ actionPattern }) => actionPattern,
  );
  const covered = rows
    .slice(0, MOST_TRIED)
    .filter(({ actionType }) => patterns.some((pattern) => matchesAction(pattern, actionType)));
  const groupName = await groupNamesOf(ctx, [...before, ...after]);
  const settled = covered.map((request) => ({
    request,
    was: settle(before, request),
    would: settle(after, request),
  }));
  const changes = settled.filter(({ was, would }) => isDifferent(was, would));
  const waiting = (outcome: Outcome) => outcome === 'awaiting_approval';
  return {
    since,
    isComplete: rows.length <= MOST_TRIED,
    covered: covered.length,
    waitingBefore: settled.filter(({ was }) => waiting(was.outcome)).length,
    waiting: settled.filter(({ would }) => waiting(would.outcome)).length,
    changed: changes.length,
    changes: changes.slice(0, MOST_LISTED).map(({ request, was, would }) => ({
      eventId: request.id,
      actionType: request.actionType,
      agent: request.actorName ?? request.actorId,
      recordedAt: request.createdAt,
      before: was.outcome,
      after: would.outcome,
      needs: would.open.map(({ detail }) => guardNeed(detail, groupName)),
    })),
  };
}

interface Settled {
  outcome: Outcome;
  /** The guards that still need something, or that forbid it. */
  open: AttributedFinding[];
}

/** Who has to approve: which guard asks for any human, and from which risk on, makes no difference to the approvers. */
const approversOf = ({ open }: Settled) =>
  open
    .map(({ guard, detail }) => (guard === 'human_review' || guard === 'risk_threshold' ? 'human' : detail))
    .filter((each, i, all) => all.indexOf(each) === i)
    .join('\n');

const isDifferent = (was: Settled, would: Settled) =>
  was.outcome !== would.outcome || approversOf(was) !== approversOf(would);

/** Requests of agents are sealed if no person is needed; all others wait for an approval anyway. */
function settle(policies: readonly Policy[], request: Request): Settled {
  const facts = factsOf(request);
  if (request.underMandate && evaluate(policies, underMandate(facts)).verdict === 'pass')
    return { outcome: 'sealed', open: [] };
  const evaluation = evaluateUnattended(policies, facts);
  const outcome = unattendedOutcome(evaluation);
  const waits = request.source !== 'AGENT' && outcome === 'sealed';
  return {
    outcome: waits ? 'awaiting_approval' : outcome,
    open: evaluation.policy.guards.filter(({ verdict }) => verdict !== 'pass'),
  };
}

const factsOf = (request: Request) => ({
  actionType: request.actionType,
  eventType: request.type,
  actorId: request.actorId ?? undefined,
  actorType: request.actorType,
  hasAiContext: request.hasAiContext,
  riskScore: request.riskScore,
  evidenceLevel: request.hasReason ? ('AUDIT_READY' as const) : ('DOCUMENTED' as const),
  occurredAt: request.createdAt.toISOString(),
  grantsMandate: isMandateGrant(request.type, request.actionType),
});

function underMandate(facts: ReturnType<typeof factsOf>): PolicyFacts {
  const approval = {
    approverId: 'mandate',
    approverType: 'system',
    result: 'approved',
    byKind: 'mandate',
  } as const;
  return { ...facts, underMandate: true, approvals: [approval] };
}

async function groupNamesOf(ctx: Context, policies: readonly Policy[]): Promise<GroupName> {
  const ids = policies.flatMap(({ guards: { quorum, escalateToGroup } }) => [
    ...(quorum ?? []).flatMap(({ group }) => group ?? []),
    ...(escalateToGroup ? [escalateToGroup] : []),
  ]);
  const names = await namesOfGroups(ctx, [...new Set(ids)]);
  return (id) => names.get(id);
}
