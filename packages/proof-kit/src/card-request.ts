/** What was asked: by whom, with which arguments. */
import type { CardFacts } from './card-facts.ts';
import { mandateTerms } from './card-mandate.ts';
import {
  absence,
  type CardPart,
  part,
  partyWords,
  quote,
  row,
  type SectionOf,
  section,
  sentence,
  startCapital,
} from './card-parts.ts';
import { hasMembers, valueRows } from './card-values.ts';
import { isObject } from './form.ts';
import { isMandateGrant } from './guards.ts';

const KINDS: Record<string, string> = {
  agent_execution: 'Action of an agent',
  workflow_step: 'Step of a workflow',
  human_approval: 'Approval by a person',
  ai_recommendation: 'Recommendation of an AI',
  automated_action: 'Automated action',
  policy_decision: 'Decision about the rules',
  escalation: 'Escalation',
  custom: 'Decision',
};

const ACTORS: Record<string, string> = {
  human: 'person',
  ai_agent: 'AI agent',
  service: 'service',
  system: 'system',
};

export const request: SectionOf = (facts) => {
  const { type, occurredAt, action, words } = facts;
  const isGrant = isMandateGrant(type, action.type);
  const code = part('code', action.type);
  const label = words?.label ?? (isGrant ? 'Grant a mandate' : undefined);
  return section('request', 'What was asked', {
    rows: [
      { label: 'Action', value: label ? sentence(part('name', label), ' (', code, ')') : [code] },
      // A description of one line is the title. That of a mandate's grant repeats the reason in its terms.
      ...(isGrant && action.input !== undefined
        ? []
        : row(facts, 'Description', { path: 'action.description', value: lines(action.description) })),
      { label: 'Asked by', value: askedBy(facts) },
      { label: 'Asked on', value: [part('time', occurredAt)] },
      { label: 'Kind', value: Object.hasOwn(KINDS, type) ? sentence(KINDS[type]!) : [part('code', type)] },
      ...row(facts, 'Tags', {
        path: 'tags',
        value: facts.tags?.length ? [part('name', facts.tags.join(', '))] : undefined,
      }),
    ],
  });
};

const lines = (text: string | undefined) => (text?.trim().includes('\n') ? quote(text) : undefined);

/** `Refund agent (AI agent), through the API key Back office`. */
export function askedBy(facts: CardFacts): CardPart[] {
  const { actor, requestedBy } = facts;
  const kind = ACTORS[actor.type];
  const asked = partyWords(facts, actor);
  const isNamed = asked[0]!.kind === 'name';
  const through = requestedBy && requestedBy.id !== actor.id ? partyWords(facts, requestedBy) : [];
  const link = requestedBy?.type === 'api_key' ? ', through ' : ', recorded by ';
  return startCapital(
    sentence(asked, kind && isNamed ? ` (${kind})` : '', through.length > 0 ? link : '', through),
  );
}

export const mandate: SectionOf = (facts) => {
  const { type, action } = facts;
  if (!isMandateGrant(type, action.type) || !isObject(action.input)) return null;
  return section('mandate', 'What the mandate allows', { rows: mandateTerms(facts, action.input).rows });
};

export const exactArguments: SectionOf = (facts) => {
  const { type, action, words } = facts;
  const title = 'Exact arguments';
  const gone = absence(facts, 'action.input');
  if (gone) return section('arguments', title, { points: [{ state: 'note', words: gone }] });
  if (isMandateGrant(type, action.type) && isObject(action.input)) {
    const { rest } = mandateTerms(facts, action.input);
    return Object.keys(rest).length > 0 ? section('arguments', title, { values: valueRows(rest) }) : null;
  }
  if (!hasMembers(action.input))
    return section('arguments', title, {
      points: [{ state: 'note', words: sentence('The call has no arguments.') }],
    });
  return section('arguments', title, { values: valueRows(action.input, words) });
};

export const expected: SectionOf = (facts) => {
  const title = 'Result given with the request';
  const gone = absence(facts, 'action.output');
  if (gone) return section('expected', title, { points: [{ state: 'note', words: gone }] });
  const { output } = facts.action;
  return hasMembers(output) ? section('expected', title, { values: valueRows(output) }) : null;
};
