import type { ApprovalFacts, DecisionFacts } from '@countersign/proof-kit';

/** An approval by this person. */
export const by = (approverId: string, change: Partial<ApprovalFacts> = {}): ApprovalFacts => ({
  approverId,
  approverType: 'human',
  result: 'approved',
  byKind: 'session',
  ...change,
});
/** An approval by a system. */
export const machine = by('bot', { approverType: 'system', byKind: 'api_key' });

/** A decision of a person, approved by another. */
export const facts = (change: Partial<DecisionFacts> = {}): DecisionFacts => ({
  eventType: 'custom',
  actorId: 'ben',
  actorType: 'human',
  hasAiContext: false,
  riskScore: null,
  evidenceLevel: 'DOCUMENTED',
  approvals: [by('ada')],
  ...change,
});
/** The same, decided by an AI agent. */
export const agent = facts({ actorType: 'ai_agent' });
