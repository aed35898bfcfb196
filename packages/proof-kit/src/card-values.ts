/** Arguments and results as rows: every member with its path and its exact JSON value. */
import type { ActionTypeWords } from './card-facts.ts';
import { type CardValue, isTime } from './card-parts.ts';
import { isObject } from './form.ts';
import { printable } from './printable.ts';

/** Longer lists end with a row that counts the rest. */
const MAX_ITEMS = 50;
/** Beyond it, the rows of a value end the same way. */
const MAX_ROWS = 300;

type Words = Pick<ActionTypeWords, 'members'> | undefined;

/** The members of a value in their order. Nothing is left out without saying so; a whole value is never cut. */
export function valueRows(value: unknown, words?: Words, isWhole = false): CardValue[] {
  const maxItems = isWhole ? Number.POSITIVE_INFINITY : MAX_ITEMS;
  const rows = [...rowsOf(value, '', { words, maxItems })];
  const more = isWhole ? 0 : rows.length - MAX_ROWS;
  return more > 0 ? [...rows.slice(0, MAX_ROWS), { path: '', value: `${more} more`, more }] : rows;
}

interface RowOptions {
  words: Words;
  maxItems: number;
}

function* rowsOf(value: unknown, path: string, options: RowOptions): Generator<CardValue> {
  const { words, maxItems } = options;
  if (Array.isArray(value) && value.length > 0) {
    for (const [i, item] of value.slice(0, maxItems).entries()) yield* rowsOf(item, `${path}[${i}]`, options);
    const more = value.length - maxItems;
    if (more > 0) yield { path: printable(path), value: `${more} more`, more };
    return;
  }
  const members = isObject(value) ? Object.entries(value).filter(([, member]) => member !== undefined) : [];
  if (members.length > 0) {
    for (const [name, member] of members) yield* rowsOf(member, join(path, name), options);
    return;
  }
  const known = words?.members.find((each) => each.path === withoutIndexes(path));
  yield {
    path: printable(path),
    ...(known && { label: printable(known.label) }),
    value: jsonText(value),
    ...(known?.unit && { unit: printable(known.unit) }),
    ...(isTime(value) && { time: value }),
  };
}

const SIMPLE = /^[^.[\]"\s]+$/;

/** A name that could be read as a path is written as a JSON string in brackets. */
function join(path: string, name: string): string {
  if (!SIMPLE.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}

/** The words for members of lists hold for every entry. */
const withoutIndexes = (path: string) => path.replaceAll(/\[\d+\]/g, '');

/** Exact JSON text: a number and the same digits in a string stay different. */
export const jsonText = (value: unknown): string => printable(JSON.stringify(value) ?? 'null');

/** Whether there is anything to show. */
export const hasMembers = (value: unknown) =>
  value !== undefined && value !== null && !(isObject(value) && Object.keys(value).length === 0);
