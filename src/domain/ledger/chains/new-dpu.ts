// The mutable part of records (level, reference, tags and notes): initial values, and the digests kept on the journal.
import { hash } from 'node:crypto';
import type { JsonValue } from '@countersign/proof-kit/canonical';
import { recordset } from '../../../db/recordset.ts';
import type { JournalContent } from './journal.ts';
import type { EvidenceLevel } from './levels.ts';

/** The initial mutable part of a record. */
export interface DpuDraft {
  id: string;
  evidenceLevel: EvidenceLevel;
  aiGenerated?: boolean;
  referenceType?: string | null;
  referenceId?: string | null;
  /** The creator, or the approver who sealed it. */
  actorId: string;
  tags?: string[];
  metadata?: Record<string, unknown>;
}

export interface NewDpuRow extends DpuDraft {
  centerId: number;
  chainId: number;
  index: number;
  domain: 'platform' | 'proof';
  /** `salt` and `journalIndex` are null if the record's own content already holds these columns. */
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

/** The part of a statement that inserts the rows of new records and updates their counts. */
export const dpusSql = (rows: string, at: string) => `created AS (
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
    SELECT key, sum(records)
    FROM (
      SELECT center_id, evidence_level, vertical, count(*) AS records FROM created GROUP BY 1, 2, 3
    ) grouped, LATERAL (VALUES
      ('dpu:' || center_id || ':' || evidence_level), ('dpu:level:' || evidence_level), ('dpu:vertical:' || vertical)
    ) AS counter(key)
    GROUP BY key
  )`;

/** What the journal holds about a record's mutable part: a salted digest of all of it and a short one of each member. */
export interface DpuFacts {
  id: string;
  index: number;
  digest: string;
  /** By member name, to tell which member was changed. */
  members: { [member: string]: string };
}

/** The mutable part of a record, with its defaults. */
interface CurrentDpu
  extends Required<Omit<NewDpuRow, 'centerId' | 'chainId' | 'domain' | 'journalIndex' | 'actorId'>> {
  vertical: string;
  actorId: string | null;
  createdAt: Date;
  sealedAt: Date | null;
}

/** Prefixes a value with its length, so that concatenated values are unambiguous. */
const sized = (value: string | null) => (value === null ? '-' : `${Buffer.byteLength(value)}:${value}`);

const MEMBER_CHARACTERS = 16;

/** The mutable members as they are hashed, in canonical order. */
function textsOf(dpu: CurrentDpu) {
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

/** Must match the order and encoding of dpu_digest in the database. */
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

export function factsOf(dpu: CurrentDpu): DpuFacts {
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

/** A row to be inserted, in the form in which it will be read back. */
export function currentDpu(row: NewDpuRow, vertical: string, at: Date): CurrentDpu {
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

/** Kept small because a comparison searches the whole entry for one digest. */
export const MOST_IN_ENTRY = 16;

export function createdEntry(created: DpuFacts[]): JournalContent {
  return { born: created as unknown as JsonValue, kind: 'dpu' };
}

/** The entry for a record whose level was raised or to which a note was added. */
export function changedEntry(changed: DpuFacts): JournalContent {
  return { changed: [changed as unknown as JsonValue], kind: 'dpu' };
}
