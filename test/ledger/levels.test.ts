import { describe, expect, it } from 'vitest';
import { atLeast, type EvidenceLevel, raise } from '../../src/domain/ledger/chains/levels.ts';

const LEVELS: EvidenceLevel[] = ['DRAFT', 'DOCUMENTED', 'AUDIT_READY'];

describe('evidence levels', () => {
  it.each([
    ['DRAFT', ['NOT_HIGHER', 'OK', 'OK']],
    ['DOCUMENTED', ['NOT_HIGHER', 'NOT_HIGHER', 'OK']],
    ['AUDIT_READY', ['SEALED', 'SEALED', 'SEALED']],
  ] as const)('raise from %s to each level', (from, answers) => {
    expect(LEVELS.map((to) => raise(from, to))).toEqual(answers);
  });

  it('are ordered', () => {
    expect(LEVELS.map((minimum) => atLeast('DOCUMENTED', minimum))).toEqual([true, true, false]);
  });
});
