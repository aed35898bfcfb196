/** The pieces of a decision card: plain data, which every page shows in its own form. */
import type { CardFacts, CardParty } from './card-facts.ts';
import { type ApprovedByKind, LABELS } from './decision.ts';
import { oneLine, printable, printableLines } from './printable.ts';

/**
 * A piece of a sentence. Names, codes and quotes are words of others; they are kept apart from the words of the service, so that
 * no name can pass for a part of the sentence. A time is ISO 8601 in UTC.
 */
export interface CardPart {
  kind: 'text' | 'name' | 'code' | 'quote' | 'time';
  text: string;
}

export interface CardRow {
  label: string;
  value: readonly CardPart[];
  /** A share from 0 to 1 that the text names, for a bar: of a risk, where much is bad, or of a confidence. */
  meter?: { kind: 'risk' | 'confidence'; share: number };
  /** The value was erased or is withheld, and the text says so. */
  isAbsent?: boolean;
}

/** One member of a JSON object. The value is exact JSON text in which invisible characters are escaped. */
export interface CardValue {
  /** Such as `order.items[0].amount`; empty for a value that is no object. */
  path: string;
  label?: string;
  value: string;
  unit?: string;
  /** If the value is a string with a time in ISO 8601: that time, for readers. */
  time?: string;
  /** How many further entries of the list are not shown; then the value says so. */
  more?: number;
}

export interface CardPoint {
  /** note: neither met nor unmet. */
  state: 'met' | 'unmet' | 'open' | 'note';
  title?: string;
  words: readonly CardPart[];
  /** ISO 8601, UTC. */
  at?: string;
  /** The words of a person, in one or more lines. */
  quote?: string;
}

export type CardSectionId =
  | 'request'
  | 'mandate'
  | 'arguments'
  | 'expected'
  | 'risk'
  | 'policies'
  | 'seats'
  | 'approvals'
  | 'outcome'
  | 'absent';

/** Shown in this order: points, rows, values. Any of them may be empty. */
export interface CardSection {
  id: CardSectionId;
  title: string;
  points: readonly CardPoint[];
  rows: readonly CardRow[];
  values: readonly CardValue[];
}

export const part = (kind: CardPart['kind'], text: string): CardPart => ({
  kind,
  text: kind === 'text' || kind === 'time' ? text : kind === 'quote' ? printableLines(text) : printable(text),
});

/** Texts stay as they are; neighbors of one kind become one part. */
export function sentence(...pieces: readonly (string | CardPart | readonly CardPart[])[]): CardPart[] {
  const parts = pieces.flatMap((piece) => (typeof piece === 'string' ? part('text', piece) : piece));
  const joined: CardPart[] = [];
  for (const each of parts) {
    const last = joined.at(-1);
    if (each.kind === 'text' && last?.kind === 'text') last.text += each.text;
    else if (each.text !== '') joined.push({ ...each });
  }
  return joined;
}

/** `A, B and C`. */
export const listed = (items: readonly (readonly CardPart[])[]): CardPart[] =>
  sentence(
    ...items.flatMap((item, i) => {
      const between = i === 0 ? '' : i === items.length - 1 ? ' and ' : ', ';
      return [between, item];
    }),
  );

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function startCapital(parts: readonly CardPart[]): CardPart[] {
  const [first, ...rest] = parts;
  return first?.kind === 'text' ? [{ ...first, text: capitalized(first.text) }, ...rest] : [...parts];
}

/** The sentence as plain text, for mail and print. */
export const plainWords = (parts: readonly CardPart[], timeText: (iso: string) => string): string =>
  parts
    .map(({ kind, text }) =>
      kind === 'time' ? timeText(text) : kind === 'quote' ? `“${oneLine(text)}”` : text,
    )
    .join('');

export const nameOf = ({ names }: Pick<CardFacts, 'names'>, id: string | undefined): string | undefined =>
  id !== undefined && names && Object.hasOwn(names, id) ? names[id] : undefined;

const ACCOUNTS: Record<ApprovedByKind, string> = {
  api_key: 'api_key',
  session: 'human',
  passkey: 'human',
  system: 'system',
  mandate: 'system',
};

/** The account that recorded, approved or reported something, as a party. */
export const accountParty = (kind: ApprovedByKind, id?: string, name?: string): CardParty => ({
  type: ACCOUNTS[kind],
  id,
  name,
});

const UNNAMED: Record<string, string> = {
  human: 'a person',
  ai_agent: 'an AI agent',
  service: 'a service',
  system: 'a system',
};

const isKey = (id: string) => id.startsWith('key_');

/** `the API key NAME`. The id only serves where the reader may not know the name. */
export function keyWords(name: string | undefined, id?: string): CardPart[] {
  if (name) return sentence('the API key ', part('name', name));
  return id ? sentence('the API key ', part('code', id)) : sentence('an API key');
}

/** The name of a party; without one its id, and without that what it is. */
export function partyWords(facts: CardFacts, party: CardParty): CardPart[] {
  const { type, id, name } = party;
  const known = name || nameOf(facts, id);
  if (type === 'api_key' || (id && isKey(id))) return keyWords(known, id);
  if (known || id) return [part('name', known || id!)];
  return sentence(UNNAMED[type] ?? 'a party', ' whose name is not shown');
}

/** Why a value is missing; null if it was neither erased nor withheld. */
export function absence({ erased, withheld, unclear }: CardFacts, path: string): CardPart[] | null {
  const erasure = erased.find((each) => each.path === path);
  if (!erasure && unclear?.includes(path)) return sentence('Not in this copy: withheld, or there was none.');
  if (!erasure) return withheld.includes(path) ? sentence('Withheld in this copy.') : null;
  return sentence(
    'Erased',
    ...(erasure.at ? [' on ', part('time', erasure.at)] : []),
    ...(erasure.reason ? [': ', part('quote', erasure.reason)] : []),
    '. The fingerprint in the proof stays.',
  );
}

/** What pages call a member, such as `approvers: reasons`. */
export function memberName(path: string): string {
  const [subject, name] = LABELS.get(path) ?? [];
  return subject === undefined ? path : `${subject}: ${name}`;
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** Whether a value is the text of a moment that exists. */
export const isTime = (value: unknown): value is string =>
  typeof value === 'string' && ISO_TIME.test(value) && !Number.isNaN(Date.parse(value));

export type SectionOf = (facts: CardFacts) => CardSection | null;

export const section = (
  id: CardSection['id'],
  title: string,
  { points = [], rows = [], values = [] }: Partial<Pick<CardSection, 'points' | 'rows' | 'values'>>,
): CardSection | null =>
  points.length + rows.length + values.length > 0 ? { id, title, points, rows, values } : null;

/** A row of a value that may be absent; none if there was no such value. */
export function row(
  facts: CardFacts,
  label: string,
  {
    path,
    value,
    meter,
  }: { path: string; value: CardPart[] | undefined; meter?: CardRow['meter'] | undefined },
): CardRow[] {
  const gone = absence(facts, path);
  if (gone) return [{ label, value: gone, isAbsent: true }];
  if (!value || value.length === 0) return [];
  return [{ label, value, ...(meter && { meter }) }];
}

export const quote = (words: string | undefined) => (words ? [part('quote', words)] : undefined);
