import { sqlIn, type Transaction } from '../../db/sql.ts';
import type { EventData } from '../events/types.ts';
import type { Chain, DpuDraft, Place } from './seal-kind.ts';

export interface Link {
  content: string;
  dpu: DpuDraft;
}

/** What goes on one chain, in its order. */
export interface ChainLinks {
  chain: Chain;
  links: Link[];
}

/** What to do about a chain whose head another transaction holds: wait for it, or leave its links out. */
export type WhenHeld = 'wait' | 'skip';

interface Row {
  place: number;
  chain_id: number;
  index: number;
  hash: string;
  previous_hash: string | null;
}

/**
 * Appends records to chains, with their DPU rows and counts, in one round trip whatever their number. From here to the
 * end of the transaction the heads of the chains are locked. Gives the places of each chain's links, or null for a chain
 * that was skipped. Whoever waits for several chains must always name them in the same order.
 */
export async function appendDpus(
  tx: Transaction,
  chains: ChainLinks[],
  at: Date,
  whenHeld: WhenHeld = 'wait',
): Promise<(Place[] | null)[]> {
  const timestamp = at.toISOString();
  const dpus = chains.flatMap(({ chain, links }) => links.map(({ dpu }) => ({ ...chain, ...dpu })));
  const rows = await sqlIn(tx).rows<Row>({
    name: 'append_dpus',
    text: APPEND,
    values: [
      chains.map(({ chain }) => chain.centerId),
      chains.map(({ chain }) => chain.domain),
      chains.map(({ links }) => links.length),
      chains.flatMap(({ links }) => links.map(({ content }) => content)),
      timestamp,
      whenHeld === 'wait',
      JSON.stringify(dpus),
    ],
  });
  const places = rows.map((row) => ({
    dpuId: dpus[row.place - 1]!.id,
    chainId: row.chain_id,
    index: row.index,
    hash: row.hash,
    previousHash: row.previous_hash,
    timestamp,
  }));
  // Rows come in the order of the links, all those of a chain or none.
  let first = 1;
  return chains.map(({ links }) => {
    const written = rows[rows.length - places.length]?.place === first;
    first += links.length;
    return written ? places.splice(0, links.length) : null;
  });
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
    SELECT a.* FROM ledger_append_each(
      ARRAY (SELECT ledger_chain_for(c.center_id, c.domain::chain_domain)
             FROM unnest($1::int[], $2::text[]) WITH ORDINALITY AS c(center_id, domain, place) ORDER BY c.place),
      $3::int[], $4::text[], $5::text, $6::boolean) a
  ), born AS (
    INSERT INTO dpu (id, center_id, chain_id, index, domain, vertical, evidence_level, ai_generated, reference_type,
                     reference_id, actor_id, tags, metadata, created_at, sealed_at)
    SELECT d.id, d."centerId", a.chain_id, a.index, d.domain::chain_domain, c.vertical,
           d."evidenceLevel"::evidence_level, coalesce(d."aiGenerated", false), d."referenceType", d."referenceId",
           d."actorId", coalesce(d.tags, '{}'), coalesce(d.metadata, '{}'), $5::timestamptz,
           CASE WHEN d."evidenceLevel" = 'AUDIT_READY' THEN $5::timestamptz END
    FROM ROWS FROM (
      json_to_recordset($7::json) AS (
        id text, "centerId" int, domain text, "evidenceLevel" text, "aiGenerated" boolean, "referenceType" text,
        "referenceId" text, "actorId" text, tags text[], metadata jsonb
      )
    ) WITH ORDINALITY AS d(id, "centerId", domain, "evidenceLevel", "aiGenerated", "referenceType", "referenceId",
                           "actorId", tags, metadata, place)
    JOIN appended a USING (place)
    JOIN center c ON c.id = d."centerId"
    RETURNING center_id, evidence_level, vertical
  ), counted AS (
    INSERT INTO tally_delta (key, delta)
    SELECT key, sum(births)
    FROM (
      SELECT center_id, evidence_level, vertical, count(*) AS births FROM born GROUP BY 1, 2, 3
    ) grouped, LATERAL (VALUES
      ('dpu:' || center_id || ':' || evidence_level), ('dpu:level:' || evidence_level), ('dpu:vertical:' || vertical)
    ) AS counter(key)
    GROUP BY key
  )
  SELECT place, chain_id, index, hash, previous_hash FROM appended ORDER BY place`;
