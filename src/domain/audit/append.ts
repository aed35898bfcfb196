import { canonicalJson } from '@countersign/proof-kit/canonical';
import { recordset } from '../../db/recordset.ts';
import { sql, type Transaction } from '../../db/sql.ts';
import { newId } from '../../lib/ids.ts';
import type { AuditDraft } from './entry.ts';
import { type PasskeySalts, passkeyText, saltsFor } from './passkey-record.ts';

/** An entry with its id and its time. */
export interface AuditFacts extends AuditDraft {
  id: string;
  occurredAt: string;
  /** For a change of a passkey: the salts that its record was sealed with. */
  salts: PasskeySalts | null;
}

/** The same with its position on the chain. Its partner is that of its center, unless it names another. */
export interface AuditRow extends AuditFacts {
  chainId: number;
  index: number;
}

/** Members in canonical order, in which they are hashed. */
export function auditRow(draft: AuditDraft, at: Date): AuditFacts {
  const { actorEmail, actorId, centerId, detail, ip, partnerId, target, type } = draft;
  const [id, occurredAt] = [newId('aud'), at.toISOString()];
  const salts = saltsFor(draft);
  return { actorEmail, actorId, centerId, detail, id, ip, occurredAt, partnerId, target, type, salts };
}

/** The exact text that is hashed: the whole entry, so verification detects a changed column. */
export function auditText({ salts, ...facts }: AuditFacts): string {
  return salts ? passkeyText(facts, salts) : canonicalJson(facts);
}

/**
 * Appends entries to the audit chains of their centers in the caller's transaction, in one round trip. Call it last, because
 * the chain heads stay locked until the commit. Returns the entries with the partner that each belongs to.
 */
export async function appendAudit(tx: Transaction, drafts: AuditDraft[], now: Date): Promise<AuditFacts[]> {
  // A fixed order of centers prevents deadlocks between transactions.
  const entries = drafts
    .map((draft) => auditRow(draft, now))
    .sort((a, b) => (a.centerId ?? 0) - (b.centerId ?? 0));
  const byCenter = Map.groupBy(entries, ({ centerId }) => centerId);
  const written = await APPEND.rows(tx, {
    centerIds: [...byCenter.keys()],
    counts: [...byCenter.values()].map(({ length }) => length),
    texts: entries.map(auditText),
    now: now.toISOString(),
    entries: factColumns.values(entries),
  });
  const partners = new Map(written.map(({ id, partner }) => [id, partner]));
  return entries.map((entry) => ({ ...entry, partnerId: partners.get(entry.id) ?? null }));
}

const COLUMNS =
  'id, center_id, partner_id, chain_id, index, type, actor_id, actor_email, target, detail, ip, occurred_at, salts';
const FACTS = {
  id: 'text',
  centerId: 'int',
  partnerId: 'text',
  type: 'text',
  actorId: 'text',
  actorEmail: 'text',
  target: 'text',
  detail: 'jsonb',
  ip: 'text',
  occurredAt: 'timestamptz',
  salts: 'jsonb',
} as const;
const factColumns = recordset<AuditFacts>(FACTS);
export const auditColumns = recordset<AuditRow>({ ...FACTS, chainId: 'int', index: 'int' });

/** Entries of a center carry its partner, for the partner's own lists. */
const PARTNER = `coalesce(e."partnerId", (SELECT c.partner_id FROM center c WHERE c.id = e."centerId"))`;

/** The part of a statement that inserts entries whose records are already on their chains. */
export const auditSql = (rows: string) => `audited AS (
    INSERT INTO audit_entry (${COLUMNS})
    SELECT e.id, e."centerId", e."partnerId", e."chainId", e.index, e.type, e."actorId", e."actorEmail", e.target, e.detail,
           e.ip, e."occurredAt", e.salts
    FROM ${rows} e
  )`;

const APPEND = sql('append_audit', { id: 'text', partner: 'text?' })`
  WITH appended AS (
    SELECT a.place::bigint AS place, a.chain_id, a.index
    FROM ledger_append_each(
      ARRAY (SELECT ledger_chain_for(c.id, 'audit') FROM unnest($centerIds::int[]) WITH ORDINALITY AS c(id, place) ORDER BY c.place),
      $counts::int[], $texts::text[], $now::text) a
  )
  INSERT INTO audit_entry (${COLUMNS})
  SELECT e.id, e."centerId", ${PARTNER}, appended.chain_id, appended.index, e.type, e."actorId", e."actorEmail", e.target,
         e.detail, e.ip, e."occurredAt", e.salts
  FROM ${factColumns.from('entries')} e JOIN appended USING (place)
  RETURNING id, partner_id AS partner`;
