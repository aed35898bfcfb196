/** Whether a decision under a mandate is within the terms of the decision that granted it. */
import { matchesAction } from './action-pattern.ts';
import { normalId } from './approver-id.ts';
import type { JsonValue } from './canonical.ts';
import type { SealedMandate } from './decision.ts';
import { riskScoreOf } from './decision-rules.ts';
import type { DisclosedDecision } from './disclose.ts';
import { type Form, id, index, isObject, nullable, text, time } from './form.ts';
import { isMandateGrant } from './guards.ts';
import { Refutation } from './sealed-content.ts';
import type { Trust } from './trust.ts';
import type { LogCheck } from './verify-log.ts';

const CONDITION = 'the condition';

/** The limits of a mandate, as the decision that grants it holds them. */
export interface Terms {
  agent: { id: string };
  actionPattern: string;
  validUntil: string;
  validFrom?: string | null;
  maxUses?: number | null;
  budget?: { member: string; limit: number } | null;
  condition?: string | null;
}

const number: Form = (value, path) => (typeof value === 'number' ? null : `${path} is not a number`);
const optional =
  (form: Form): Form =>
  (value, path) =>
    value === undefined ? null : nullable(form)(value, path);
/** Unlike elsewhere, other members are ignored: the terms are the input of a decision. */
const withMembers =
  (members: Record<string, Form>): Form =>
  (value, path) => {
    if (!isObject(value)) return `${path} is not an object`;
    for (const [name, form] of Object.entries(members)) {
      const found = form(Object.hasOwn(value, name) ? value[name] : undefined, `${path}.${name}`);
      if (found !== null) return found;
    }
    return null;
  };

const termsForm = withMembers({
  agent: withMembers({ id }),
  actionPattern: text,
  validUntil: time,
  validFrom: optional(time),
  maxUses: optional(index),
  budget: optional(withMembers({ member: text, limit: number })),
  condition: optional(text),
});

/** Throws a Refutation unless the grant belongs to this mandate and allows this decision. */
export async function checkMandateUse(
  decision: DisclosedDecision,
  grant: { decision: DisclosedDecision; sealedAt: string },
  { trust, log }: { trust: Trust; log: LogCheck },
): Promise<void> {
  const { content } = decision;
  const mandate = content.mandate!;
  const granted = grant.decision.content;
  if (granted.service !== content.service || granted.center.id !== content.center.id)
    throw new Refutation('mandateProof is of another service or center');
  if (granted.event.id !== mandate.eventId) throw new Refutation('mandateProof is of another decision');
  if (!isMandateGrant(granted.event.type, granted.event.action.type))
    throw new Refutation('mandateProof grants no mandate');
  const { approvedAt } = decision.approvals[0]!;
  if (grant.sealedAt > approvedAt) throw new Refutation('the mandate was granted later');
  const { input } = grant.decision.event.action;
  if (input === undefined) return;
  if (termsForm(input, '') !== null) throw new Refutation('mandateProof grants no mandate');
  const terms = input as unknown as Terms;
  checkTerms(terms, decision, mandate);
  if (terms.condition == null) return;
  const riskScore = riskScoreOf(decision);
  const { input: used } = decision.event.action;
  if (!trust.evaluateCondition || used === undefined || riskScore === undefined) {
    log.cannot.add(CONDITION);
    return;
  }
  if (!(await trust.evaluateCondition(terms.condition, { input: used as JsonValue, riskScore })))
    throw outside('condition');
}

const outside = (member: string) => new Refutation(`the mandate does not cover it: ${member}`);

/** Throws a Refutation where a use is outside the terms; the condition is checked apart. */
export function checkTerms(
  terms: Terms,
  { event, approvals }: DisclosedDecision,
  { use, spent }: SealedMandate,
): void {
  const { agent, actionPattern, validFrom, validUntil, maxUses, budget } = terms;
  const { approvedAt } = approvals[0]!;
  if (event.actor.id !== undefined && normalId(event.actor.id) !== normalId(agent.id)) throw outside('agent');
  if (!matchesAction(actionPattern, event.action.type)) throw outside('actionPattern');
  if (validFrom != null && validFrom > approvedAt) throw outside('validFrom');
  if (validUntil < approvedAt) throw outside('validUntil');
  if (maxUses != null && use > maxUses) throw outside('maxUses');
  if ((budget == null) !== (spent === undefined)) throw outside('budget');
  if (budget == null) return;
  if (spent! > budget.limit) throw outside('budget');
  const { input } = event.action;
  if (input === undefined) return;
  const amount = budget.member.split('.').reduce<unknown>(memberOf, input);
  if (typeof amount !== 'number' || amount < 0 || amount > spent!) throw outside('budget');
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
