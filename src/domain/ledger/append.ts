import { sqlIn, type Transaction } from '../../db/sql.ts';
import type { EventData } from '../events/types.ts';
import type { DpuDraft, Place, SealDomain } from './seal-kind.ts';

export interface Link {
  content: string;
  dpu: DpuDraft;
}

interface Row {
  chain_id: number;
  index: number;
  hash: string;
  previous_hash: string | null;
}

/**
 * Appends records to a chain in the order given, with their DPU rows and counts, in one round trip whatever their
 * number. From here to the end of the transaction the chain's head is locked.
 */
export async function appendDpus(
  tx: Transaction,
  { centerId, domain }: { centerId: number; domain: SealDomain },
  links: Link[],
  at: Date,
): Promise<Place[]> {
  const timestamp = at.toISOString();
  const rows = await sqlIn(tx).rows<Row>({
    name: 'append_dpus',
    text: APPEND,
    values: [
      centerId,
      domain,
      links.map(({ content }) => content),
      timestamp,
      JSON.stringify(links.map(({ dpu }) => dpu)),
    ],
  });
  return rows.map((row, i) => ({
    dpuId: links[i]!.dpu.id,
    chainId: row.chain_id,
    index: row.index,
    hash: row.hash,
    previousHash: row.previous_hash,
    timestamp,
  }));
}

/** What subscribers are told of a record that is sealed from now on. */
export function sealedData(
  { dpuId, hash }: Pick<Place, 'dpuId' | 'hash'>,
  domain: string,
  actorId: string,
): EventData<'dpu.sealed'> {
  return { dpuId, chainHash: hash, domain, actorId };
}

const APPEND = `
  WITH appended AS (
    SELECT row_number() OVER (ORDER BY a.index) AS place, a.*
    FROM ledger_append(ledger_chain_for($1::int, $2::text::chain_domain), $3::text[], $4::text) a
  ), born AS (
    INSERT INTO dpu (id, center_id, chain_id, index, domain, vertical, evidence_level, ai_generated, reference_type,
                     reference_id, actor_id, tags, metadata, created_at, sealed_at)
    SELECT d.id, $1::int, a.chain_id, a.index, $2::text::chain_domain, c.vertical, d."evidenceLevel"::evidence_level,
           coalesce(d."aiGenerated", false), d."referenceType", d."referenceId", d."actorId",
           coalesce(d.tags, '{}'), coalesce(d.metadata, '{}'), $4::timestamptz,
           CASE WHEN d."evidenceLevel" = 'AUDIT_READY' THEN $4::timestamptz END
    FROM ROWS FROM (
      jsonb_to_recordset($5::jsonb) AS (
        id text, "evidenceLevel" text, "aiGenerated" boolean, "referenceType" text, "referenceId" text,
        "actorId" text, tags text[], metadata jsonb
      )
    ) WITH ORDINALITY
      AS d(id, "evidenceLevel", "aiGenerated", "referenceType", "referenceId", "actorId", tags, metadata, place)
    JOIN appended a USING (place)
    JOIN center c ON c.id = $1::int
    RETURNING evidence_level, vertical
  ), counted AS (
    INSERT INTO tally_delta (key, delta)
    SELECT key, count(*)
    FROM born, LATERAL (VALUES
      ('dpu:' || $1::int || ':' || evidence_level), ('dpu:level:' || evidence_level), ('dpu:vertical:' || vertical)
    ) AS counter(key)
    GROUP BY key
  )
  SELECT chain_id, index, hash, previous_hash FROM appended ORDER BY place`;
