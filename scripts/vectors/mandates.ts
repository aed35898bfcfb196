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

const REFUNDS = 'mnd_refunds';
/** The hash of a record that is on no chain. */
const ANOTHER = 'ab'.repeat(32);

type Center = VectorDecision['center'];

interface Use {
  mandate?: string;
  terms?: Record<string, unknown>;
  agent?: string;
  use?: number;
  spent?: number;
  /** The use before it. */
  after?: Placed;
  /** The hash that it names as that of the use before it; null for none, as uses before format 4. */
  previous?: string | null;
  /** The minute at which it was sealed. */
  sealed?: number;
  /** The id in the terms; null for none, as in terms before format 4. */
  granted?: string | null;
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
  granted = place(service, `${id}-grant`, grantOf(id, { ...given, terms: termsOf(given) }), GRANTED),
): { grant: Placed; use: Placed } {
  const { mandate = REFUNDS, agent = 'agent-7', use = 1, spent = 4250, center, asked = {}, input } = given;
  const { after, previous = after ? service.record(after.place).hash : use === 1 ? '' : ANOTHER } = given;
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
    mandate: {
      id: mandate,
      eventId: granted.sealed.content.event.id,
      use,
      spent,
      ...(previous !== null && { previous }),
    },
    asked,
    ...(center && { center }),
  };
  return { grant: granted, use: place(service, id, decision, given.sealed ?? USED + 1) };
}

function termsOf({ mandate = REFUNDS, granted = mandate, terms = TERMS }: Use): Record<string, unknown> {
  return { ...(granted !== null && { mandateId: granted }), ...terms };
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
  'mandate-sealed-after-its-end': { terms: { ...TERMS, validUntil: later(USED) } },
  'mandate-sealed-20-hours-after-its-approval': { sealed: USED + 1200 },
  'mandate-of-another-id': { granted: 'mnd_payments' },
  'mandate-first-use-spends-more-than-the-amount': { spent: 4251 },
  'mandate-first-use-after-another': { previous: ANOTHER },
  'mandate-second-use-after-none': { use: 2, spent: 8500, previous: '' },
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

type PlacedUse = ReturnType<typeof placeUse>;

/** Pairs of uses, each pair of a mandate of its own, that are proven alone and contradict each other. */
export function placeContradictingUses(service: VectorService, center: Center): [string, PlacedUse][] {
  const mandate = (name: string) => {
    const first = placeUse(service, `${name}_1`, { center });
    const next = (id: string, use: Use) =>
      placeUse(service, `${name}_${id}`, { center, ...use }, first.grant);
    return { first, next };
  };
  const twice = mandate('twice');
  const skipped = mandate('skipped');
  const unlinked = mandate('unlinked');
  const idle = mandate('idle');
  const second = { use: 2, spent: 8500 };
  return [
    ['mandate-use-2-for-one-refund', twice.next('one', { ...second, after: twice.first.use })],
    ['mandate-use-2-for-another-refund', twice.next('other', { ...second, after: twice.first.use })],
    ['mandate-use-2-after-use-1', skipped.next('2', { ...second, after: skipped.first.use })],
    ['mandate-use-3-after-use-1', skipped.next('3', { ...second, use: 3, after: skipped.first.use })],
    ['mandate-use-1-before-another', unlinked.first],
    ['mandate-use-2-after-another', unlinked.next('2', second)],
    ['mandate-use-1-that-spends', idle.first],
    ['mandate-use-2-that-spends-nothing', idle.next('2', { use: 2, spent: 4250, after: idle.first.use })],
  ];
}
