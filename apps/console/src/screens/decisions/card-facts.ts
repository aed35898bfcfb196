// A decision as GraphQL gives it, as the facts of its card.
import { accountParty, type CardFacts } from '@countersign/proof-kit/decision-card';
import { graphql, isObject, type ResultOf } from '../../graphql/graphql.ts';

export const CardFields = graphql(`
  fragment CardFields on DecisionEvent {
    id
    status
    type
    riskScore
    tags
    occurredAt
    createdAt
    expiresAt
    actor { id name type }
    requestedBy { kind id name }
    action {
      type
      description
      input
      output
      words { type label members { path label unit } }
      mandateKeys { id name }
    }
    aiContext { model provider confidence reasoning }
    guards { guard verdict detail policyId policyName version }
    mandateUse { id use spent }
    seats { group groupName count authentication open filledBy { id } }
    approvals {
      id
      result
      reason
      createdAt
      by
      seating
      assertedBy
      onBehalfOf
      onBehalfOfName
      approver { id name type }
    }
    outcome { status recordedAt output by { kind id name } }
    erased { path at reason }
  }
`);

export type CardSource = ResultOf<typeof CardFields>;
type Approval = CardSource['approvals'][number];
type Account = NonNullable<CardSource['requestedBy']>;

/** Members that are null were not given; erased ones are named by `erased`. */
const given = <T>(value: T | null | undefined) => value ?? undefined;
/** Ids are empty once they are erased. */
const idOf = (id: string | null) => id || undefined;

export function cardFactsOf(decision: CardSource): CardFacts {
  const { action, actor, aiContext, approvals, erased, mandateUse, outcome, requestedBy } = decision;
  return {
    status: decision.status,
    type: decision.type,
    actor: partyOf(actor),
    requestedBy: requestedBy ? accountOf(requestedBy) : undefined,
    occurredAt: decision.occurredAt,
    action: {
      type: action.type,
      description: given(action.description),
      input: given(action.input),
      output: given(action.output),
    },
    riskScore: given(decision.riskScore),
    confidence: given(aiContext?.confidence),
    reasoning: given(aiContext?.reasoning),
    model: given(aiContext?.model),
    provider: given(aiContext?.provider),
    tags: decision.tags,
    guards: decision.guards.map(({ policyId, policyName, version, ...guard }) => ({
      ...guard,
      policy: given(policyId),
      policyName: given(policyName),
      version: given(version),
    })),
    seats: decision.seats.map(({ groupName, filledBy, ...seat }) => ({
      ...seat,
      groupName: given(groupName),
      filledBy: filledBy.map(({ id }) => approvals.findIndex((each) => each.id === id)),
    })),
    approvals: approvals.map(approvalOf),
    mandate: mandateUse ? { ...mandateUse, spent: given(mandateUse.spent) } : undefined,
    outcome: outcome
      ? { ...outcome, output: given(outcome.output), by: outcome.by ? accountOf(outcome.by) : undefined }
      : undefined,
    withheld: [],
    erased: erased.map(({ path, at, reason }) => ({ path, at, reason: given(reason) })),
    words: given(action.words),
    names: namesIn(decision),
  };
}

const partyOf = ({ type, id, name }: CardSource['actor'] | Approval['approver']) => ({
  type,
  id: idOf(id),
  name: given(name),
});

const accountOf = ({ kind, id, name }: Account) => accountParty(kind, given(id), given(name));

function approvalOf(approval: Approval): CardFacts['approvals'][number] {
  const { approver, result, reason, by, seating, onBehalfOf, onBehalfOfName } = approval;
  return {
    approver: partyOf(approver),
    result,
    by: by as CardFacts['approvals'][number]['by'],
    assertedBy: given(approval.assertedBy),
    onBehalfOf: onBehalfOf ? { type: 'human', id: onBehalfOf, name: given(onBehalfOfName) } : undefined,
    isEscalated: isObject(seating) && seating['escalation'] !== undefined,
    reason: given(reason),
    approvedAt: approval.createdAt,
  };
}

/** The names that the decision knows, by id. */
function namesIn({ action, requestedBy, seats }: CardSource): Record<string, string> {
  const named = [
    ...action.mandateKeys,
    ...(requestedBy?.id ? [{ id: requestedBy.id, name: requestedBy.name }] : []),
    ...seats.flatMap(({ group, groupName }) => (group === null ? [] : [{ id: group, name: groupName }])),
  ];
  return Object.fromEntries(named.flatMap(({ id, name }) => (name ? [[id, name]] : [])));
}
