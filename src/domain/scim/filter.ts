import { isStorable, UNSTORABLE } from '../../lib/json-faults.ts';
import { ScimError } from './errors.ts';
import { type Comparison, MAX_EXPRESSION, readFilter } from './expression.ts';
import { isOwnSchema, type ResourceKind } from './schemas.ts';

/** What a list can be filtered by. */
export type FilterAttribute =
  | 'id'
  | 'userName'
  | 'externalId'
  | 'displayName'
  | 'active'
  | 'emails.value'
  | 'members.value';

const FILTERABLE: Readonly<Record<ResourceKind, ReadonlyMap<string, FilterAttribute>>> = {
  User: byLowerCase('id', 'userName', 'externalId', 'displayName', 'active', 'emails.value'),
  Group: byLowerCase('id', 'externalId', 'displayName', 'members.value'),
};

function byLowerCase(...names: FilterAttribute[]): ReadonlyMap<string, FilterAttribute> {
  return new Map(names.map((name) => [name.toLowerCase(), name]));
}

/** One condition of a list. Values of `active` are booleans, all others are texts. */
export type Condition =
  | { attribute: 'active'; value: boolean }
  | { attribute: Exclude<FilterAttribute, 'active'>; value: string };

/** The conditions of a filter, all of which must hold. */
export function parseFilter(kind: ResourceKind, text: string): Condition[] {
  const comparisons = readFilter(text);
  if (comparisons) return comparisons.map((comparison) => conditionOf(kind, comparison));
  throw invalidFilter(
    text.length > MAX_EXPRESSION
      ? `has more than ${MAX_EXPRESSION} characters`
      : 'has a form that is not supported; use `eq` and `and`',
  );
}

function conditionOf(kind: ResourceKind, { attribute: { schema, name, sub }, value }: Comparison): Condition {
  const asked = sub === null ? name : `${name}.${sub}`;
  const attribute = schema === null || isOwnSchema(kind, schema) ? FILTERABLE[kind].get(asked) : undefined;
  if (attribute === undefined) {
    const possible = [...FILTERABLE[kind].values()].join(', ');
    throw invalidFilter(`compares an attribute that is not supported; use one of ${possible}`);
  }
  if (attribute === 'active') {
    const active = booleanOf(value);
    if (active === null) throw invalidFilter('compares active with a value other than true or false');
    return { attribute, value: active };
  }
  if (typeof value !== 'string')
    throw invalidFilter(`compares ${attribute} with a value that is not a string`);
  if (!isStorable(value)) throw invalidFilter(UNSTORABLE);
  return { attribute, value };
}

/** Entra ID sends "True" and "False". */
export function booleanOf(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  return text === 'true' ? true : text === 'false' ? false : null;
}

const invalidFilter = (message: string) => new ScimError(400, `filter: ${message}`, 'invalidFilter');
