/** The terms of a mandate in words. What is not a term is left to the table of arguments. */
import { isPending } from './card-approvals.ts';
import type { CardFacts } from './card-facts.ts';
import {
  type CardPart,
  type CardRow,
  isTime,
  keyWords,
  listed,
  nameOf,
  part,
  sentence,
} from './card-parts.ts';
import { isObject, type Members } from './form.ts';

type Term = (value: unknown, facts: CardFacts) => [label: string, words: CardPart[]] | null;

const text =
  (label: string, words: (value: string, facts: CardFacts) => CardPart[]): Term =>
  (value, facts) =>
    typeof value === 'string' ? [label, words(value, facts)] : null;

const time =
  (label: string): Term =>
  (value) =>
    isTime(value) ? [label, [part('time', value)]] : null;

/** By member of the terms, in the order in which a reader needs them. */
const TERMS: Record<string, Term> = {
  agent: (value, facts) => {
    if (!isObject(value) || typeof value['id'] !== 'string' || Object.keys(value).length > 1) return null;
    const { id } = value;
    const name = nameOf(facts, id);
    return ['Agent', name ? sentence(part('name', name), ' (', part('code', id), ')') : [part('code', id)]];
  },
  actionPattern: text('May do without asking', (pattern) =>
    pattern.endsWith('.*')
      ? sentence('every action that begins with ', part('code', pattern.slice(0, -1)))
      : sentence('the action ', part('code', pattern)),
  ),
  condition: text('Only if', (condition) => [part('code', condition)]),
  maxUses: (value) =>
    typeof value === 'number'
      ? ['How often', sentence(value === 1 ? 'once' : `at most ${value} times`)]
      : null,
  budget: (value) => {
    if (!isObject(value) || Object.keys(value).length > 2) return null;
    const { member, limit } = value;
    if (typeof member !== 'string' || typeof limit !== 'number') return null;
    return ['Budget', sentence(`at most ${limit} for all calls together, counted by `, part('code', member))];
  },
  validFrom: time('From'),
  validUntil: time('Until'),
  keys: (value, facts) => {
    if (!Array.isArray(value) || !value.every((id) => typeof id === 'string')) return null;
    return ['For calls with', listed(value.map((id) => keyWords(nameOf(facts, id), id)))];
  },
  reason: text('Reason', (reason) => [part('quote', reason)]),
  mandateId: text('Mandate', (id) => [part('code', id)]),
};

/** Limits that a mandate does not have are said too: they are the dangerous ones. */
const UNLIMITED: Record<string, readonly [string, string]> = {
  maxUses: ['How often', 'without a limit'],
  budget: ['Budget', 'none: the amounts are not limited'],
  validFrom: ['From', 'as soon as it is granted'],
};

export function mandateTerms(facts: CardFacts, terms: Members): { rows: CardRow[]; rest: Members } {
  const rows: CardRow[] = [];
  const said = new Set<string>();
  // The id tells a reader something only once the mandate is used.
  if (isPending(facts)) said.add('mandateId');
  for (const [member, term] of Object.entries(TERMS)) {
    if (said.has(member)) continue;
    const value = Object.hasOwn(terms, member) ? terms[member] : undefined;
    const limit = UNLIMITED[member];
    const row = value === undefined && limit ? ([limit[0], sentence(limit[1])] as const) : term(value, facts);
    if (!row) continue;
    rows.push({ label: row[0], value: row[1] });
    said.add(member);
  }
  return { rows, rest: Object.fromEntries(Object.entries(terms).filter(([member]) => !said.has(member))) };
}
