// The terms of a mandate: one agent, one kind of action, within limits, until a date.

import { isActionPattern, matchesAction } from '@countersign/proof-kit/action-pattern';
import { normalId } from '@countersign/proof-kit/approver-id';
import { z } from 'zod';
import { sha256Hex } from '../../../lib/crypto.ts';
import { doc } from '../../../lib/doc.ts';
import { opaqueId } from '../../../lib/text.ts';
import { MANDATE_GRANT } from '../../policies/mandate-grant.ts';
import type { EventContent } from '../content.ts';
import { actionType, identifier, LONGEST_NAME, LONGEST_TEXT, text } from '../text.ts';
import type { NotUsed } from './not-used.ts';

const MOST_USES = 1_000_000_000;
const LONGEST_CONDITION = 2_000;
const MOST_KEYS = 10;

export const requestMandateInput = z.strictObject({
  agent: z
    .strictObject({
      id: identifier.meta(doc('The id of the agent, as in its calls, at most 256 bytes.', 'refund-agent')),
    })
    .describe('The one agent whose calls it approves.'),
  keys: z
    .array(opaqueId)
    .min(1)
    .max(MOST_KEYS)
    .optional()
    .meta(
      doc(
        'The ids of the API keys that may use the mandate, 1 to 10. Default: the key that requests it; required from a person.',
        ['key_01k9zq2m0000000000000000k1'],
      ),
    ),
  actionPattern: actionType
    .refine((pattern) => pattern !== '*' && isActionPattern(pattern), {
      message: 'must be an action type, or a prefix that ends in .*',
    })
    .meta(doc('The action types that it covers: a type, or a prefix that ends in `.*`.', 'refund.*')),
  condition: text(LONGEST_CONDITION, 1)
    .optional()
    .meta(
      doc(
        'A CEL expression over `input` and `riskScore` that must give true, at most 2,000 characters. Default: no condition.',
        'input.amount < 5000',
      ),
    ),
  maxUses: z
    .int()
    .min(1)
    .max(MOST_USES)
    .optional()
    .meta(doc('How many calls it approves, at most 1,000,000,000. Default: no limit.', 100)),
  budget: z
    .strictObject({
      member: text(LONGEST_NAME, 1)
        .refine((path) => path.split('.').every((each) => each !== ''), {
          message: 'must be a path of names with dots between them',
        })
        .meta(
          doc(
            'The path to a number in `action.input`, with dots between names, such as `order.amount`.',
            'amount',
          ),
        ),
      limit: z.number().positive().meta(doc('What the calls may spend together, more than 0.', 100_000)),
    })
    .optional()
    .describe('How much the calls may spend together. Default: no limit.'),
  validFrom: z
    .date()
    .optional()
    .meta(
      doc('When it begins to approve calls. Default: as soon as it is granted.', '2026-11-15T09:32:00.000Z'),
    ),
  validUntil: z
    .date()
    .meta(doc('When it stops approving calls, at most 366 days from now.', '2027-01-31T00:00:00.000Z')),
  reason: text(LONGEST_TEXT, 1).meta(
    doc('Why it is needed, for the approvers, 1 to 10,000 characters.', 'Fits the plan.'),
  ),
});

export type RequestMandateInput = z.output<typeof requestMandateInput>;

export const revokeMandateInput = z.object({
  id: opaqueId.meta(doc('The id of the mandate, `mnd_…`.', 'mnd_01k9zq2m0000000000000000m1')),
  reason: text(LONGEST_TEXT)
    .optional()
    .meta(doc('Why it is revoked, at most 10,000 characters.', 'Fits the plan.')),
});

/** The terms as stored in the granting decision. Times have one format, so that they compare as text. */
export interface MandateTerms {
  /** Missing in terms of earlier releases, like `keys`. */
  mandateId?: string;
  agent: { id: string };
  keys?: string[];
  actionPattern: string;
  condition?: string;
  maxUses?: number;
  budget?: { member: string; limit: number };
  validFrom?: string;
  validUntil: string;
  reason: string;
}

export const GRANT = { type: 'policy_decision', action: MANDATE_GRANT } as const;

export const agentKey = (agentId: string) => sha256Hex(normalId(agentId));

/** The total of a mandate's uses so far. */
export interface Consumption {
  used: number;
  spent: number;
}

/** What a use deducts from the budget: null without a budget, undefined if the mandate does not cover the call. */
export function amountOf(
  { budget }: { budget?: MandateTerms['budget'] | undefined },
  input: unknown,
): number | null | undefined {
  if (!budget) return null;
  let value = input;
  for (const member of budget.member.split('.')) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    if (!Object.hasOwn(value, member)) return undefined;
    value = (value as Record<string, unknown>)[member];
  }
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Whether the terms cover the agent and the action. */
export const coversAction = (
  { agent, actionPattern }: MandateTerms,
  { actor, action }: Pick<EventContent, 'actor' | 'action'>,
) => normalId(agent.id) === normalId(actor.id) && matchesAction(actionPattern, action.type);

/** The usage after one more use at a given time, or the limit that forbids it. */
export function usageAfter(
  { validFrom, validUntil, maxUses, budget }: MandateTerms,
  { used, spent }: Consumption,
  { amount, at }: { amount: number | null; at: string },
): Consumption | NotUsed {
  if (at > validUntil) return 'expired';
  if (validFrom !== undefined && at < validFrom) return 'not_yet_valid';
  if (maxUses !== undefined && used >= maxUses) return 'no_uses_left';
  if ((budget === undefined) !== (amount === null)) return 'no_amount';
  const total = spent + (amount ?? 0);
  if (budget && total > budget.limit) return 'no_budget_left';
  return { used: used + 1, spent: total };
}

export const isExhausted = ({ maxUses, budget }: MandateTerms, { used, spent }: Consumption) =>
  (maxUses !== undefined && used >= maxUses) || (budget !== undefined && spent >= budget.limit);

/** What remains; null if there is no such limit. */
export const remainingOf = ({ maxUses, budget }: MandateTerms, { used, spent }: Consumption) => ({
  uses: maxUses === undefined ? null : maxUses - used,
  budget: budget === undefined ? null : budget.limit - spent,
});
