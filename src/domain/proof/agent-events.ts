import type { EventData } from '../events/catalogue.ts';
import type { DecisionEventView } from './row.ts';

/** What subscribers are told of a decision that waits for a person. */
export function approvalRequested(
  event: DecisionEventView,
  rule: string,
): EventData<'agent.approval.requested'> {
  return {
    decisionId: event.decisionId,
    eventId: event.id,
    agentId: event.actor.id,
    actionType: event.action.type,
    riskScore: event.riskScore,
    reason: rule,
  };
}
