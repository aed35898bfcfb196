// Compares policy versions, and the policies in force, with the journal.

import { canonicalJson, type JsonValue } from '@countersign/proof-kit/canonical';
import type { Queryable } from '../../../../../db/database.ts';
import { type RowOf, sql, typed } from '../../../../../db/sql.ts';
import { keptAuthor } from '../../../../ledger/chains/journal.ts';
import type { Differences } from './difference.ts';
import type { Entry } from './journal.ts';

const POLICIES = sql('all_policies', {
  id: 'text',
  version: 'int',
  scope: 'policy_scope',
  country: 'text?',
  region: 'text?',
  name: 'text',
  actionPattern: 'text',
  guards: typed<JsonValue>('jsonb'),
  active: 'boolean',
})`
  SELECT id, version, scope, country, region, name, action_pattern AS "actionPattern", guards, active FROM policy
  WHERE center_id IS NOT DISTINCT FROM $centerId::int`;

const VERSIONS = sql('all_versions', {
  id: 'text',
  version: 'int',
  name: 'text',
  actionPattern: 'text',
  guards: typed<JsonValue>('jsonb'),
  active: 'boolean',
  changedById: 'text?',
  createdAt: 'timestamptz',
  /** The stored author of the entry. */
  byKind: 'approved_by_kind?',
  byId: 'text?',
  bySalt: 'text?',
})`
  SELECT v.policy_id AS id, v.version, v.name, v.action_pattern AS "actionPattern", v.guards, v.active,
         v.changed_by_id AS "changedById", v.created_at AS "createdAt",
         b.by_kind AS "byKind", b.by_id AS "byId", b.salt AS "bySalt"
  FROM policy_version v LEFT JOIN policy p ON p.id = v.policy_id
  LEFT JOIN LATERAL (
    SELECT b.* FROM journal_by b JOIN ledger_record r ON r.chain_id = b.chain_id AND r.index = b.index
    WHERE b.subject = v.policy_id AND b.kind = 'policy'
      AND try_jsonb(r.content)->'version' = to_jsonb(v.version)) b ON true
  WHERE p.center_id IS NOT DISTINCT FROM $centerId::int`;

/** Compares the policies of a center, or of the platform, with its journal entries. */
export async function comparePolicies(
  db: Queryable,
  centerId: number | null,
  chain: string,
  entries: readonly Entry[],
  found: Differences,
): Promise<void> {
  const policies = await POLICIES.rows(db, { centerId });
  const versions = await VERSIONS.rows(db, { centerId });
  const keyOf = (id: unknown, version: unknown) => `${id} ${version}`;
  const versionOf = new Map(versions.map((row) => [keyOf(row.id, row.version), row]));
  const newest = new Map<string, Entry>();
  const named = (id: string, index: number | null, member: string | null) =>
    found.add({ table: 'policy_version', id, chain, index, member });
  for (const entry of entries) {
    const { policyId, version } = entry.content;
    const id = String(policyId);
    const row = versionOf.get(keyOf(id, version));
    versionOf.delete(keyOf(id, version));
    newest.set(id, entry);
    if (!row) named(id, entry.index, null);
    else for (const member of versionMembers(row, entry)) named(id, entry.index, member);
  }
  // A version without an entry was never authored by anyone.
  for (const { id } of versionOf.values()) named(id, null, null);
  for (const policy of policies) {
    const entry = newest.get(policy.id);
    newest.delete(policy.id);
    if (!entry) named(policy.id, null, null);
    else for (const member of policyMembers(policy, entry)) named(policy.id, entry.index, member);
  }
  for (const [id, { index }] of newest) named(id, index, null);
}

const same = (a: unknown, b: unknown) =>
  canonicalJson((a ?? null) as JsonValue) === canonicalJson((b ?? null) as JsonValue);

function versionMembers(row: RowOf<typeof VERSIONS>, { content, timestamp }: Entry): string[] {
  const columns = ['name', 'actionPattern', 'guards', 'active'] as const;
  const members: string[] = columns.filter((column) => !same(row[column], content[column]));
  if (!isAuthor(row, content['by'])) members.push('changedById');
  return row.createdAt.toISOString() === timestamp ? members : [...members, 'createdAt'];
}

/** The policy in force must be its newest version. */
function policyMembers(row: RowOf<typeof POLICIES>, { content }: Entry): string[] {
  const columns = [
    'version',
    'scope',
    'country',
    'region',
    'name',
    'actionPattern',
    'guards',
    'active',
  ] as const;
  return columns.filter((column) => !same(row[column], content[column]));
}

/** Whether the entry and the row name the same author. The baseline, written by a migration, has none. */
function isAuthor({ changedById, byKind, byId, bySalt }: RowOf<typeof VERSIONS>, sealed: unknown): boolean {
  if (changedById === null) return same(sealed, { kind: 'system' });
  const [kind, id] = changedById.split(/:(.*)/s);
  if (kind === 'system') return same(sealed, { kind });
  return byKind !== null && byId === id && same(sealed, keptAuthor({ kind: byKind, id: byId, salt: bySalt }));
}
