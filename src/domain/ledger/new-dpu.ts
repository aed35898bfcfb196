// The living side of records: level, reference, tags and notes, as they are born and as the journal holds them.
import { hash, randomBytes } from 'node:crypto';
import { canonicalJson, type JsonValue } from '../../proof-kit/canonical.ts';
import type { JournalContent } from './journal.ts';
import type { EvidenceLevel } from './levels.ts';

/** The living side of a record, as it is born. */
export interface DpuDraft {
  id: string;
  evidenceLevel: EvidenceLevel;
  aiGenerated?: boolean;
  referenceType?: string | null;
  referenceId?: string | null;
  /** Who made or sealed it. */
  actorId: string;
  tags?: string[];
  metadata?: Record<string, unknown>;
}

export interface NewDpuRow extends DpuDraft {
  centerId: number;
  chainId: number;
  index: number;
  domain: 'platform' | 'proof';
  /** Null where the record's own content holds the columns. */
  salt: string | null;
}

/** The part of a statement that writes the rows of new records and their counts. */
export const dpusSql = (rows: string, at: string) => `born AS (
    INSERT INTO dpu (id, center_id, chain_id, index, domain, vertical, evidence_level, ai_generated, reference_type,
                     reference_id, actor_id, tags, metadata, salt, created_at, sealed_at)
    SELECT d.id, d."centerId", d."chainId", d.index, d.domain::chain_domain, c.vertical,
           d."evidenceLevel"::evidence_level, coalesce(d."aiGenerated", false), d."referenceType", d."referenceId",
           d."actorId", coalesce(d.tags, '{}'), coalesce(d.metadata, '{}'), d.salt, ${at}::timestamptz,
           CASE WHEN d."evidenceLevel" = 'AUDIT_READY' THEN ${at}::timestamptz END
    FROM json_to_recordset(${rows}::json) AS d(
      id text, "centerId" int, "chainId" int, index int, domain text, "evidenceLevel" text, "aiGenerated" boolean,
      "referenceType" text, "referenceId" text, "actorId" text, tags text[], metadata jsonb, salt text)
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
  )`;

export function newDpuSalt(): string {
  return randomBytes(16).toString('base64url');
}

/** What the journal says of a record's living side: levels in the open, everything else by salted digests. */
export interface DpuFacts {
  id: string;
  index: number;
  level: EvidenceLevel;
  ai?: true;
  /** By member; absent where there is nothing to say. */
  digests: { [member: string]: string };
}

interface Living {
  id: string;
  index: number;
  salt: string | null;
  evidenceLevel: EvidenceLevel;
  aiGenerated?: boolean;
  referenceType?: string | null;
  referenceId?: string | null;
  actorId: string | null;
  tags?: string[];
  metadata?: Record<string, unknown>;
}

export function factsOf(dpu: Living): DpuFacts {
  const { id, index, evidenceLevel: level, aiGenerated, salt } = dpu;
  const said: [string, unknown][] = [
    ['actorId', dpu.actorId],
    ['referenceType', dpu.referenceType],
    ['referenceId', dpu.referenceId],
    ['tags', dpu.tags?.length ? dpu.tags : null],
    ['metadata', dpu.metadata && Object.keys(dpu.metadata).length > 0 ? dpu.metadata : null],
  ];
  const digests: DpuFacts['digests'] = {};
  for (const [member, value] of said) {
    if (value === undefined || value === null) continue;
    digests[member] = hash('sha256', canonicalJson([salt, member, value]), 'base64url');
  }
  return { id, index, level, ...(aiGenerated && { ai: true }), digests };
}

export function dpuEntry(records: DpuFacts[]): JournalContent {
  return { kind: 'dpu', records: records as unknown as JsonValue };
}
