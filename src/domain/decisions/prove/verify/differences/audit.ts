// Audit entries repeat their record's content in columns, for lists and filters. Both must match.
import type { Queryable } from '../../../../../db/database.ts';
import { sql, typed } from '../../../../../db/sql.ts';
import { type AuditFacts, auditText } from '../../../../audit/append.ts';
import { type CenterChains, chainRanges } from './chains.ts';
import type { Differences } from './difference.ts';

const CHUNK = 5_000;

const MEMBERS = [
  'id',
  'centerId',
  'type',
  'actorId',
  'actorEmail',
  'target',
  'detail',
  'ip',
  'occurredAt',
] as const;

/** The entry as derived from its content. */
const STORED_ENTRY = `jsonb_build_object(
  'id', e.id, 'centerId', e.center_id, 'type', e.type, 'actorId', e.actor_id, 'actorEmail', e.actor_email,
  'target', e.target, 'detail', e.detail, 'ip', e.ip,
  'occurredAt', to_char(e.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

/** Entries of a center carry its partner, for the partner's own lists. */
const PARTNER = `e.partner_id IS NOT DISTINCT FROM
  coalesce(p.c->>'partnerId', (SELECT partner_id FROM center WHERE id = e.center_id))`;

/** Passkey records contain digests, which are recomputed outside the database. */
const IS_PASSKEY = `p.c->>'kind' = 'passkey'`;

const COMPARE = sql('compare_audit', {
  index: 'int',
  id: 'text?',
  sealedId: 'text?',
  rightPartner: 'boolean',
  members: 'text[]',
})`
  SELECT r.index, e.id, p.c->>'id' AS "sealedId", ${PARTNER} AS "rightPartner",
         ARRAY (SELECT m FROM unnest($members::text[]) m WHERE ${STORED_ENTRY}->m IS DISTINCT FROM p.c->m) AS members
  FROM ledger_record r
  CROSS JOIN LATERAL (SELECT try_jsonb(r.content) AS c) p
  LEFT JOIN audit_entry e ON e.chain_id = r.chain_id AND e.index = r.index
  WHERE r.chain_id = $chainId AND r.index >= $from::int AND r.index < $to::int
    AND NOT coalesce($isPlatform::boolean AND ${IS_PASSKEY}, false) AND NOT coalesce(${STORED_ENTRY} = p.c - 'partnerId' AND ${PARTNER}, false)
  ORDER BY r.index LIMIT 100`;

const PASSKEYS = sql('compare_passkey_audit', {
  index: 'int',
  content: 'text',
  id: 'text',
  centerId: 'int?',
  partnerId: 'text?',
  type: typed<AuditFacts['type']>('text'),
  actorId: 'text?',
  actorEmail: 'text?',
  target: 'text',
  detail: typed<AuditFacts['detail']>('jsonb'),
  ip: 'text?',
  salts: typed<AuditFacts['salts']>('jsonb'),
  occurredAt: 'text',
})`
  SELECT r.index, r.content, e.id, e.center_id AS "centerId", e.partner_id AS "partnerId", e.type, e.actor_id AS "actorId",
         e.actor_email AS "actorEmail", e.target, e.detail, e.ip, e.salts,
         to_char(e.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "occurredAt"
  FROM ledger_record r
  CROSS JOIN LATERAL (SELECT try_jsonb(r.content) AS c) p
  LEFT JOIN audit_entry e ON e.chain_id = r.chain_id AND e.index = r.index
  WHERE r.chain_id = $chainId AND r.index >= $from::int AND r.index < $to::int AND ${IS_PASSKEY} ORDER BY r.index`;

/** Entries of the center that are on another chain or have no record. */
const WITHOUT_RECORD = sql('audit_without_record', { id: 'text' })`
  SELECT id FROM audit_entry
  WHERE center_id = $centerId AND (chain_id IS DISTINCT FROM $chainId::int OR index < 0 OR index >= $length::int) ORDER BY id LIMIT 100`;

export async function compareAudit(
  db: Queryable,
  { centerId, audit }: CenterChains,
  found: Differences,
): Promise<void> {
  for (const [from, to] of chainRanges(audit, CHUNK)) {
    if (found.full) return;
    const rows = await COMPARE.rows(db, {
      chainId: audit!.id,
      from,
      to,
      members: MEMBERS,
      isPlatform: centerId === null,
    });
    for (const row of rows) {
      const at = { table: 'audit_entry', chain: 'audit', index: row.index } as const;
      const id = row.sealedId ?? row.id ?? '';
      const members = row.rightPartner ? row.members : [...row.members, 'partnerId'];
      if (row.id === null) found.add({ ...at, id, member: null });
      else for (const member of members) found.add({ ...at, id, member });
    }
    // Only the platform's own chain has passkey records.
    if (centerId === null) await comparePasskeys(db, { chainId: audit!.id, from, to }, found);
  }
  if (centerId === null) return;
  const lost = await WITHOUT_RECORD.rows(db, {
    centerId,
    chainId: audit?.id ?? null,
    length: audit?.length ?? 0,
  });
  for (const { id } of lost) {
    found.add({ table: 'audit_entry', id, chain: 'audit', index: null, member: null });
  }
}

async function comparePasskeys(
  db: Queryable,
  range: { chainId: number; from: number; to: number },
  found: Differences,
): Promise<void> {
  const rows = await PASSKEYS.rows(db, range);
  for (const { index, content, ...facts } of rows) {
    const at = { table: 'audit_entry', chain: 'audit', index } as const;
    if (facts.id === null) found.add({ ...at, id: '', member: null });
    else if (facts.salts === null) found.add({ ...at, id: facts.id, member: 'salts' });
    else if (auditText(facts) !== content) found.add({ ...at, id: facts.id, member: 'detail' });
  }
}
