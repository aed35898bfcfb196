// The living side of records: level, reference, tags and notes, as they are born and as the journal holds them.
import { hash } from 'node:crypto';
import type { JsonValue } from '@countersign/proof-kit/canonical';
import { recordset } from '../../db/recordset.ts';
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
  /** Null where the record's own content holds the columns; as is the place of the entry that holds them. */
  salt: string | null;
  journalIndex: number | null;
}

export const dpuColumns = recordset<NewDpuRow>({
  id: 'text',
  centerId: 'int',
  chainId: 'int',
  index: 'int',
  domain: 'chain_domain',
  evidenceLevel: 'evidence_level',
  aiGenerated: 'boolean',
  referenceType: 'text',
  referenceId: 'text',
  actorId: 'text',
  tags: 'text[]',
  metadata: 'json',
  salt: 'text',
  journalIndex: 'int',
});

/** The part of a statement that writes the rows of new records and their counts. */
export const dpusSql = (rows: string, at: string) => `born AS (
    INSERT INTO dpu (id, center_id, chain_id, index, domain, vertical, evidence_level, ai_generated, reference_type,
                     reference_id, actor_id, tags, metadata, salt, journal_index, created_at, sealed_at)
    SELECT d.id, d."centerId", d."chainId", d.index, d.domain, c.vertical,
           d."evidenceLevel", coalesce(d."aiGenerated", false), d."referenceType", d."referenceId",
           d."actorId", coalesce(d.tags, '{}'), coalesce(d.metadata, '{}'), d.salt, d."journalIndex", ${at}::timestamptz,
           CASE WHEN d."evidenceLevel" = 'AUDIT_READY' THEN ${at}::timestamptz END
    FROM ${rows} d JOIN center c ON c.id = d."centerId"
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

/** What the journal says of a record's living side: salted digests, one of all of it and a short one of each member. */
export interface DpuFacts {
  id: string;
  index: number;
  digest: string;
  /** By member; they tell which one was changed. */
  members: { [member: string]: string };
}

/** The living side of a record, whole. */
interface LivingDpu {
  id: string;
  index: number;
  salt: string | null;
  evidenceLevel: EvidenceLevel;
  aiGenerated: boolean;
  vertical: string;
  referenceType: string | null;
  referenceId: string | null;
  actorId: string | null;
  tags: string[];
  metadata: Record<string, unknown>;
  createdAt: Date;
  sealedAt: Date | null;
}

/** A value with its length before it, so that values in a row can be read in one way only. */
const sized = (value: string | null) => (value === null ? '-' : `${Buffer.byteLength(value)}:${value}`);

const MEMBER_CHARACTERS = 16;

/** The members of a record's living side as they are hashed, in canonical order. */
function textsOf(dpu: LivingDpu) {
  return {
    actorId: sized(dpu.actorId),
    aiGenerated: sized(String(dpu.aiGenerated)),
    createdAt: sized(dpu.createdAt.toISOString()),
    evidenceLevel: sized(dpu.evidenceLevel),
    metadata: sized(JSON.stringify(dpu.metadata)),
    referenceId: sized(dpu.referenceId),
    referenceType: sized(dpu.referenceType),
    sealedAt: sized(dpu.sealedAt?.toISOString() ?? null),
    tags: sized(JSON.stringify(dpu.tags)),
    vertical: sized(dpu.vertical),
  };
}

type Member = keyof ReturnType<typeof textsOf>;

/** In this order dpu_digest in the database puts them, and in the same words. */
const DIGEST_ORDER: readonly Member[] = [
  'evidenceLevel',
  'aiGenerated',
  'vertical',
  'referenceType',
  'referenceId',
  'actorId',
  'tags',
  'metadata',
  'createdAt',
  'sealedAt',
];

export function factsOf(dpu: LivingDpu): DpuFacts {
  const { id, index, salt } = dpu;
  const texts = textsOf(dpu);
  let all = sized(salt) + sized(id) + sized(String(index));
  for (const member of DIGEST_ORDER) all += texts[member];
  const members: DpuFacts['members'] = {};
  for (const member in texts) {
    const text = salt + member + texts[member as Member];
    members[member] = hash('sha256', text, 'base64url').slice(0, MEMBER_CHARACTERS);
  }
  return { digest: hash('sha256', all, 'hex'), id, index, members };
}

/** A row that is about to be written, as it will be read. */
export function livingDpu(row: NewDpuRow, vertical: string, at: Date): LivingDpu {
  return {
    id: row.id,
    index: row.index,
    salt: row.salt,
    evidenceLevel: row.evidenceLevel,
    aiGenerated: row.aiGenerated ?? false,
    vertical,
    referenceType: row.referenceType ?? null,
    referenceId: row.referenceId ?? null,
    actorId: row.actorId,
    tags: row.tags ?? [],
    metadata: row.metadata ?? {},
    createdAt: at,
    sealedAt: row.evidenceLevel === 'AUDIT_READY' ? at : null,
  };
}

/** Few in one entry, because a comparison searches the whole entry for one digest. */
export const MOST_IN_ENTRY = 16;

/** New records. */
export function bornEntry(born: DpuFacts[]): JournalContent {
  return { born: born as unknown as JsonValue, kind: 'dpu' };
}

/** A record whose level was raised, or to which something was noted. */
export function changedEntry(changed: DpuFacts): JournalContent {
  return { changed: [changed as unknown as JsonValue], kind: 'dpu' };
}
