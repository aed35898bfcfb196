import { invalidValue } from '../domain/scim/errors.ts';
import { type Condition, parseFilter } from '../domain/scim/filter.ts';
import type { ResourceKind } from '../domain/scim/schemas.ts';

export const MAX_RESULTS = 200;
const DEFAULT_RESULTS = 100;
/** Beyond any number of users. */
const LAST_INDEX = 1_000_000_000;

export interface ListQuery {
  conditions: Condition[];
  startIndex: number;
  count: number;
}

export function listQuery(kind: ResourceKind, query: URLSearchParams): ListQuery {
  const filter = query.get('filter');
  return {
    conditions: filter === null ? [] : parseFilter(kind, filter),
    startIndex: Math.min(Math.max(wholeNumber(query, 'startIndex') ?? 1, 1), LAST_INDEX),
    count: Math.min(Math.max(wholeNumber(query, 'count') ?? DEFAULT_RESULTS, 0), MAX_RESULTS),
  };
}

function wholeNumber(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null || text === '') return null;
  if (!/^[+-]?\d{1,15}$/.test(text)) throw invalidValue(name, 'must be a whole number');
  return Number(text);
}

export const listResponse = (
  resources: readonly unknown[],
  { total, startIndex }: { total: number; startIndex: number },
) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});
