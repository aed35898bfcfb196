/** A decision card as a tree of elements, which the server writes as HTML and the browser builds as a document. No I/O, no DOM. */
import type {
  CardPart,
  CardPoint,
  CardRow,
  CardSection,
  CardValue,
  DecisionCard,
} from '@countersign/proof-kit/decision-card';

export interface TreeElement {
  /** Names of elements and attributes come from this file alone; the texts are those of the proof. */
  tag: string;
  attributes: Readonly<Record<string, string>>;
  children: readonly TreeNode[];
}

export type TreeNode = TreeElement | string;

const make = (tag: string, attributes: TreeElement['attributes'], ...children: TreeNode[]): TreeElement => ({
  tag,
  attributes,
  children,
});
const of = (tag: string, ...children: TreeNode[]) => make(tag, {}, ...children);

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' });

/** A text that only looks like a time is shown as it is. */
export function timeText(iso: string): string {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? iso : `${DATE.format(time)} UTC`;
}

const timeOf = (iso: string) => make('time', { datetime: iso }, timeText(iso));

/** Words of others are isolated, so that the writing direction of a name cannot reorder the sentence around it. */
const FORMS: Record<CardPart['kind'], (text: string) => TreeNode> = {
  text: (text) => text,
  name: (text) => make('bdi', { class: 'name' }, text),
  code: (text) => of('code', of('bdi', text)),
  quote: (text) => make('q', { dir: 'auto' }, text),
  time: timeOf,
};

const words = (parts: readonly CardPart[]): TreeNode[] => parts.map(({ kind, text }) => FORMS[kind](text));

export const WHAT_NAMES_PROVE =
  'Names and texts are shown as they were sealed. The proof shows that they are unchanged, not that they are true.';

/** The decision as a card. `level` is the level of the headings of its sections. */
export const cardTree = ({ title, sections }: DecisionCard, level: 3 | 4): TreeElement =>
  make(
    'div',
    { class: 'decision-card' },
    make('p', { class: 'decision', dir: 'auto' }, title),
    ...sections.map((each) => sectionTree(each, `h${level}`)),
  );

function sectionTree({ id, title, points, rows, values }: CardSection, heading: string): TreeElement {
  return make(
    'section',
    { 'data-section': id },
    of(heading, title),
    ...(points.length > 0 ? [make('ul', { class: 'points' }, ...points.map(pointItem))] : []),
    ...(rows.length > 0 ? [make('dl', { class: 'facts' }, ...rows.flatMap(rowTerms))] : []),
    ...(values.length > 0 ? [valueTable(title, values)] : []),
  );
}

function pointItem({ state, title, words: said, at, quote }: CardPoint): TreeElement {
  return make(
    'li',
    { 'data-state': state },
    ...(title ? [of('strong', title), ': '] : []),
    ...words(said),
    ...(at ? [' ', make('span', { class: 'muted' }, timeOf(at))] : []),
    ...(quote ? [make('blockquote', { dir: 'auto' }, quote)] : []),
  );
}

const rowTerms = ({ label, value, isAbsent }: CardRow): TreeElement[] => [
  of('dt', label),
  make('dd', isAbsent ? { class: 'muted' } : {}, ...words(value)),
];

/** Values are exact, and can be long: the table scrolls by itself. */
const valueTable = (title: string, values: readonly CardValue[]): TreeElement =>
  make(
    'div',
    { class: 'values', tabindex: '0', role: 'group', 'aria-label': title },
    of('table', of('tbody', ...values.map(valueRow))),
  );

function valueRow({ path, label, value, unit, time, more }: CardValue): TreeElement {
  const name = of('code', of('bdi', path || '(value)'));
  return of(
    'tr',
    make('th', { scope: 'row' }, ...(label ? [make('bdi', {}, label), ' '] : []), name),
    more === undefined
      ? of(
          'td',
          of('code', of('bdi', value)),
          ...(unit ? [' ', unit] : []),
          ...(time ? [' ', make('span', { class: 'muted' }, timeOf(time))] : []),
        )
      : make('td', { class: 'muted' }, value),
  );
}
