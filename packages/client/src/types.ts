import type { components } from './api-types.ts';

/** Names for the schemas in `openapi.json`. `npm run generate` writes the types of those that are named here. */
type Schemas = components['schemas'];

export type DecisionEvent = Schemas['DecisionEvent'];
export type DecisionEventSummary = Schemas['DecisionEventSummary'];
export type DecisionEventType = Schemas['DecisionEventType'];
export type DecisionEventStatus = Schemas['DecisionEventStatus'];
export type RecordDecision = Schemas['RecordDecisionEventRequest'];
export type AddApproval = Schemas['AddApprovalRequest'];
export type Approval = Schemas['Approval'];
export type AgentDecision = Schemas['AgentDecision'];
export type DecideAsAgent = Schemas['DecideAsAgentRequest'];
export type Evidence = Schemas['Evidence'];
export type DecisionProof = Schemas['DecisionProof'];
export type ProofState = Schemas['ProofState'];
export type Claim = Schemas['DecisionClaim'];
export type ReportOutcome = Schemas['ReportOutcomeRequest'];
export type Outcome = Schemas['DecisionOutcome'];
export type Mandate = Schemas['Mandate'];
export type RequestMandate = Schemas['RequestMandateRequest'];
export type RequestedMandate = Schemas['RequestedMandate'];
export type Webhook = Schemas['Webhook'];
export type RegisteredWebhook = Schemas['RegisteredWebhook'];
export type CreateWebhook = Schemas['CreateWebhookRequest'];
export type UpdateWebhook = Schemas['UpdateWebhookRequest'];
export type Delivery = Schemas['Delivery'];
export type EventType = Schemas['EventType'];
export type SignedIn = Schemas['SignedIn'];
export type Me = Schemas['Me'];

export interface DecisionFilter {
  type?: DecisionEventType;
  status?: DecisionEventStatus;
  tag?: string;
  /** Entries per request, at most 100. */
  pageSize?: number;
}
