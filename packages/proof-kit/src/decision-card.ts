/**
 * What a person must see of a decision: what was asked and by whom, who approved it and how, under which policies, and what
 * became of it. The console, the proof page, mail and print show these sections in this order and in these words. They add only
 * their own form: times, colors, links.
 */
import type { CardFacts } from './card-facts.ts';
import { type CardSection, capitalized, nameOf } from './card-parts.ts';
import { cardSections } from './card-sections.ts';
import { isObject } from './form.ts';
import { isMandateGrant } from './guards.ts';
import { oneLine } from './printable.ts';

export type {
  ActionTypeWords,
  CardApproval,
  CardFacts,
  CardGuard,
  CardParty,
  CardSeat,
} from './card-facts.ts';
export {
  accountParty,
  type CardPart,
  type CardPoint,
  type CardRow,
  type CardSection,
  type CardSectionId,
  type CardValue,
  plainWords,
} from './card-parts.ts';
export { askedBy } from './card-request.ts';
export { valueRows } from './card-values.ts';

/** Plain data. Everything in it is printable: invisible characters are escaped. */
export interface DecisionCard {
  title: string;
  sections: readonly CardSection[];
}

export const decisionCard = (facts: CardFacts): DecisionCard => ({
  title: oneLine(titleOf(facts)),
  sections: cardSections(facts),
});

function titleOf(facts: CardFacts): string {
  const { type, action, words } = facts;
  if (isMandateGrant(type, action.type)) return grantTitle(facts);
  return action.description?.trim() || words?.label || actionWords(action.type);
}

function grantTitle(facts: CardFacts): string {
  const { input } = facts.action;
  const agent = isObject(input) && isObject(input['agent']) ? input['agent']['id'] : undefined;
  return typeof agent === 'string' ? `Mandate for ${nameOf(facts, agent) ?? agent}` : 'Mandate';
}

/** `therapy.plan.adjust` becomes `Therapy plan adjust`. */
const actionWords = (type: string) => capitalized(type.replaceAll(/[._-]+/g, ' ').trim());
