// Checks that decisions under a mandate were requested by an API key that the sealed terms of the mandate name.

import type { Queryable } from '../../../../../db/database.ts';
import { sql, typed } from '../../../../../db/sql.ts';
import { objectOf, parseJson } from '../../../../../lib/json.ts';
import type { DecisionRow } from './decision.ts';
import type { Differences } from './difference.ts';

// The row of the grant is compared with its own record like any other.
const KEYS_OF_GRANTS = sql('keys_of_grants', { id: 'text', keys: typed<string[]>('json') })`
  SELECT e.id, e.large #> '{action.input,keys}' AS keys FROM decision_event e
  WHERE e.id = ANY ($ids) AND e.large #> '{action.input,keys}' IS NOT NULL`;

/** Terms of earlier releases and erased ones name no keys, and are not checked. Returns whether there were any uses. */
export async function compareMandateKeys(
  db: Queryable,
  rows: readonly DecisionRow[],
  found: Differences,
): Promise<boolean> {
  const uses = rows.flatMap((row) => {
    const grantId = grantOf(row.sealed_content);
    return grantId === undefined ? [] : [{ row, grantId }];
  });
  if (uses.length === 0) return false;
  const grants = await KEYS_OF_GRANTS.rows(db, { ids: [...new Set(uses.map(({ grantId }) => grantId))] });
  const keysById = new Map(grants.map(({ id, keys }) => [id, keys]));
  for (const { row, grantId } of uses) {
    const keys = keysById.get(grantId);
    if (!keys || (row.by_kind === 'api_key' && keys.includes(row.by_id!))) continue;
    found.add({
      table: 'decision_event',
      id: row.id,
      chain: 'proof',
      index: row.sealed_index,
      member: 'mandate',
    });
  }
  return true;
}

function grantOf(content: string | null): string | undefined {
  // Few decisions have a mandate, so only those are parsed.
  if (!content?.includes('"mandate":{')) return undefined;
  const eventId = objectOf(objectOf(parseJson(content))['mandate'])['eventId'];
  return typeof eventId === 'string' ? eventId : undefined;
}
