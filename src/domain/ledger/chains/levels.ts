// Evidence levels only rise. The highest level seals the record.

export type EvidenceLevel = 'DRAFT' | 'DOCUMENTED' | 'AUDIT_READY';

const LEVEL_RANK: Readonly<Record<EvidenceLevel, number>> = {
  DRAFT: 0,
  DOCUMENTED: 1,
  AUDIT_READY: 2,
};

export function atLeast(level: EvidenceLevel, minimum: EvidenceLevel): boolean {
  return LEVEL_RANK[level] >= LEVEL_RANK[minimum];
}

/** Whether a record may move from one level to another. Levels may be skipped; a sealed record accepts no change. */
export function raise(from: EvidenceLevel, to: EvidenceLevel): 'OK' | 'SEALED' | 'NOT_HIGHER' {
  if (from === 'AUDIT_READY') return 'SEALED';
  return LEVEL_RANK[to] > LEVEL_RANK[from] ? 'OK' : 'NOT_HIGHER';
}
