// Evidence levels only rise. The highest level seals the record.
import { LEVELS, type Level } from '@countersign/proof-kit/guards';

export type EvidenceLevel = Level;

export function atLeast(level: EvidenceLevel, minimum: EvidenceLevel): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(minimum);
}

/** Whether a record may move from one level to another. Levels may be skipped; a sealed record accepts no change. */
export function raise(from: EvidenceLevel, to: EvidenceLevel): 'OK' | 'SEALED' | 'NOT_HIGHER' {
  if (from === 'AUDIT_READY') return 'SEALED';
  return atLeast(from, to) ? 'NOT_HIGHER' : 'OK';
}
