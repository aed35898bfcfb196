import { argumentsDigest } from '../../packages/client/src/digest.ts';
import type { Examples, RouteStage } from './stage.ts';

const decision = {
  type: 'custom',
  actor: { id: 'agent-1', type: 'ai_agent', name: 'An agent' },
  action: { type: 'refund.grant', description: 'Refund', input: { amount: 5 }, output: { granted: true } },
  aiContext: { model: 'm', provider: 'p', confidence: 0.9, reasoning: 'because' },
  tags: ['example'],
};

/** The id of a decision event of the stage's own center. */
async function recordedEvent({ running, tokens }: RouteStage): Promise<string> {
  const { body } = await running.call('POST', '/v1/decision-events', { token: tokens.key, body: decision });
  return body.data.id;
}

const approval = {
  approver: { id: 'boss', type: 'human', name: 'The boss' },
  result: 'approved',
  reason: 'Fine.',
};

/** A sealed decision event of the stage's own center. */
async function sealedEvent(stage: RouteStage) {
  const id = await recordedEvent(stage);
  const { running, tokens } = stage;
  await running.call('POST', `/v1/decision-events/${id}/approvals`, { token: tokens.key, body: approval });
  return (await running.call('GET', `/v1/decision-events/${id}`, { token: tokens.key })).body.data;
}

async function sealedDpu(stage: RouteStage): Promise<string> {
  const { id } = await sealedEvent(stage);
  return (await stage.running.app.db.acrossTenants.decisionEvent.findUniqueOrThrow({ where: { id } })).dpuId;
}

const mandate = {
  agent: { id: 'agent-1' },
  actionPattern: 'refund.*',
  condition: 'input.amount < 100',
  maxUses: 5,
  budget: { member: 'amount', limit: 500 },
  validUntil: new Date(Date.now() + 86_400_000).toISOString(),
  reason: 'Small refunds',
};

async function requestedMandate({ running, tokens }: RouteStage): Promise<string> {
  const { body } = await running.call('POST', '/v1/mandates', { token: tokens.key, body: mandate });
  return body.data.mandateId;
}

export const proofExamples: Examples = {
  addApproval: async (stage) => ({
    caller: 'key',
    params: { id: await recordedEvent(stage) },
    body: approval,
  }),
  decideAsAgent: () => ({
    caller: 'key',
    body: {
      agent: { id: 'agent-1', name: 'An agent' },
      action: decision.action,
      aiContext: decision.aiContext,
      riskScore: 0.1,
      tags: ['example'],
    },
  }),
  exportEvidence: async (stage) => ({
    caller: 'key',
    params: { id: (await sealedEvent(stage)).evidence.id },
  }),
  exportDecision: async (stage) => ({ caller: 'key', params: { id: (await sealedEvent(stage)).id } }),
  requestMandate: () => ({ caller: 'key', body: mandate }),
  listMandates: () => ({ caller: 'key', query: { limit: '5' } }),
  getMandate: async (stage) => ({ caller: 'key', params: { id: await requestedMandate(stage) } }),
  revokeMandate: async (stage) => ({ caller: 'key', params: { id: await requestedMandate(stage) } }),
  claimDecision: async (stage) => ({ caller: 'key', params: { id: (await sealedEvent(stage)).id } }),
  reportOutcome: async (stage) => ({
    caller: 'key',
    params: { id: (await sealedEvent(stage)).id },
    body: {
      status: 'executed',
      argumentsDigest: await argumentsDigest(decision.action.input),
      output: { done: true },
    },
  }),
  getDecisionEvent: async (stage) => ({ caller: 'key', params: { id: await recordedEvent(stage) } }),
  getEvidence: async (stage) => ({ caller: 'key', params: { id: (await sealedEvent(stage)).evidence.id } }),
  listDecisionEvents: () => ({ caller: 'key', query: { type: 'custom', limit: '5' } }),
  getProofState: async (stage) => ({ caller: 'key', params: { id: await sealedDpu(stage) } }),
  recordDecisionEvent: () => ({ caller: 'key', body: { ...decision, idempotencyKey: 'example' } }),
};
