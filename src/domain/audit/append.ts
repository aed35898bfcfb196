import { type Sql, sqlIn, type Transaction } from '../../db/sql.ts';
import { newId } from '../../lib/ids.ts';
import { canonicalJson } from '../../proof-kit/canonical.ts';
import type { AuditDraft } from './entry.ts';

/**
 * Writes entries in the caller's transaction, each a link of its center's audit chain. The hashed content is the
 * canonical JSON of the whole entry, so a changed column is found out by verification. Called last in a
 * transaction: from here to the commit the chain's head is locked.
 */
export async function appendAudit(tx: Transaction, drafts: AuditDraft[], now: Date): Promise<void> {
  // Always in the same order of centers, so that two transactions cannot deadlock.
  const byCenter = Map.groupBy(drafts, (draft) => draft.centerId);
  const centers = [...byCenter.keys()].sort((a, b) => (a ?? 0) - (b ?? 0));
  for (const centerId of centers) await appendToChain(sqlIn(tx), centerId, byCenter.get(centerId)!, now);
}

async function appendToChain(sql: Sql, centerId: number | null, drafts: AuditDraft[], now: Date) {
  const occurredAt = now.toISOString();
  const entries = drafts.map((draft) => ({ id: newId('aud'), ...draft, occurredAt }));
  await sql.run({
    name: 'append_audit',
    text: APPEND,
    values: [centerId, entries.map((entry) => canonicalJson(entry)), occurredAt, JSON.stringify(entries)],
  });
}

const APPEND = `
  WITH appended AS (
    SELECT row_number() OVER (ORDER BY a.index) AS place, a.chain_id, a.index
    FROM ledger_append(ledger_chain_for($1::int, 'audit'), $2::text[], $3::text) a
  )
  INSERT INTO audit_entry
    (id, center_id, partner_id, chain_id, index, type, actor_id, actor_email, target, detail, ip, occurred_at)
  SELECT e.id, $1::int,
         coalesce(e."partnerId", (SELECT c.partner_id FROM center c WHERE c.id = $1::int)),
         appended.chain_id, appended.index, e.type, e."actorId", e."actorEmail", e.target, e.detail, e.ip,
         e."occurredAt"
  FROM ROWS FROM (
    jsonb_to_recordset($4::jsonb) AS (
      id text, "partnerId" text, type text, "actorId" text, "actorEmail" text, target text, detail jsonb, ip text,
      "occurredAt" timestamptz
    )
  ) WITH ORDINALITY AS e(id, "partnerId", type, "actorId", "actorEmail", target, detail, ip, "occurredAt", place)
  JOIN appended USING (place)`;
