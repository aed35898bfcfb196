/** Decisions that a mandate approved, with the proof of the decision that granted it. */
import type { JsonValue } from '@countersign/proof-kit/canonical';
import type { ProofDocument } from '@countersign/proof-kit/proof-document';
import { approval, event, type VectorDecision } from './decisions.ts';
import { later, newService, type Placed, place, proofOf } from './genuine.ts';
import type { VectorService } from './service.ts';

const GRANTED = 0;
const USED = 6;

export const TERMS = {
  agent: { id: 'agent-7' },
  actionPattern: 'refund.*',
  validFrom: later(GRANTED),
  validUntil: '2026-03-01T00:00:00.000Z',
  maxUses: 3,
  budget: { member: 'amount', limit: 10_000 },
};

type Center = VectorDecision['center'];

interface Use {
  mandate?: string;
  terms?: Record<string, unknown>;
  agent?: string;
  use?: number;
  spent?: number;
  center?: Center;
  asked?: VectorDecision['asked'];
  /** The input of the call; that of `event` by default. */
  input?: Record<string, JsonValue>;
  /** What differs in the approval of the grant, which a signed-in person gives. */
  grantedBy?: Parameters<typeof approval>[1];
}

export function grantOf(id: string, { terms = TERMS, center, grantedBy = {} }: Use): VectorDecision {
  return {
    event: event(`${id}_grant`, {
      type: 'policy_decision',
      action: { type: 'mandate.grant', description: 'Small refunds', input: terms },
    }),
    approvals: [approval(`${id}_grant`, grantedBy)],
    ...(center && { center }),
  };
}

/** Appends the grant and one use of it. `proofOfUse` exports it once the service has signed. */
export function placeUse(
  service: VectorService,
  id: string,
  given: Use = {},
  granted = place(service, `${id}-grant`, grantOf(id, given), GRANTED),
): { grant: Placed; use: Placed } {
  const {
    mandate = 'mnd_refunds',
    agent = 'agent-7',
    use = 1,
    spent = 4250,
    center,
    asked = {},
    input,
  } = given;
  const decision: VectorDecision = {
    event: event(id, {
      ...(input && { action: { type: 'refund.grant', description: 'Refund a missed session', input } }),
      type: 'agent_execution',
      actor: { id: agent, type: 'ai_agent' },
      riskScore: 0.1,
      occurredAt: later(USED - 1),
    }),
    approvals: [
      approval(id, {
        approver: { id: mandate, type: 'system' },
        reason: undefined,
        by: { kind: 'mandate', id: mandate },
        approvedAt: later(USED),
      }),
    ],
    mandate: { id: mandate, eventId: granted.sealed.content.event.id, use, spent },
    asked,
    ...(center && { center }),
  };
  return { grant: granted, use: place(service, id, decision, USED + 1) };
}

export const proofOfUse = (
  service: VectorService,
  { grant, use }: ReturnType<typeof placeUse>,
): ProofDocument => proofOf(service, { ...use, mandateProof: proofOf(service, grant) });

/** The agent's decisions need a human, which the mandate replaces. */
export const WITHIN_LIMITS: Use = { asked: { humanReviewForAi: true } };
export const CONDITION_MET: Use = {
  terms: { ...TERMS, condition: 'input.amount < 5000 && riskScore < 0.5' },
};
export const CONDITION_NOT_MET: Use = {
  terms: { ...TERMS, condition: 'input.amount < 4000 && riskScore < 0.5' },
};

export const spendingAt = (member: string, input: string): Use => ({
  terms: { ...TERMS, budget: { member, limit: 10_000 } },
  input: JSON.parse(input) as Record<string, JsonValue>,
});
/** Every name is that of a member, also one that means more in a programming language. */
export const BUDGET_AT_A_PATH = spendingAt('order.constructor.0', '{"order":{"constructor":{"0":4250}}}');

const OUTSIDE: Record<string, Use> = {
  'mandate-budget-of-an-inherited-member': spendingAt('list.length', '{"list":[4250]}'),
  'mandate-budget-at-a-list-index': spendingAt('items.0', '{"items":[4250]}'),
  'mandate-budget-at-a-name-with-a-dot': spendingAt('order.amount', '{"order.amount":4250}'),
  'mandate-over-budget': { use: 3, spent: 10_001 },
  'mandate-spent-less-than-the-amount': { spent: 4249 },
  'mandate-used-too-often': { use: 4, spent: 8500 },
  'mandate-of-another-agent': { agent: 'agent-8' },
  'mandate-of-other-actions': { terms: { ...TERMS, actionPattern: 'note.*' } },
  'mandate-before-it-is-valid': { terms: { ...TERMS, validFrom: later(USED + 1) } },
  'mandate-granted-with-a-key': { grantedBy: { by: { kind: 'api_key', id: 'key_1' } } },
  'mandate-after-its-end': { terms: { ...TERMS, validUntil: later(USED - 1) } },
};

export async function usesOutside(): Promise<Record<string, ProofDocument>> {
  const proofs: Record<string, ProofDocument> = {};
  for (const [name, use] of Object.entries(OUTSIDE)) {
    const service = newService();
    const placed = placeUse(service, 'use', use);
    await service.settle();
    proofs[name] = proofOfUse(service, placed);
  }
  const service = newService();
  const [one, other] = [placeUse(service, 'one'), placeUse(service, 'other')];
  await service.settle();
  proofs['mandate-proof-of-another-grant'] = proofOfUse(service, { ...one, grant: other.grant });
  return proofs;
}
