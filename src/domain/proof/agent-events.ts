import type { EventData } from '../events/catalogue.ts';
import type { DecisionEventView } from './row.ts';

/** The payload of the event sent when a decision needs a person's approval. */
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
