import { isActionPattern, matchesAction, specificity } from '@countersign/proof-kit/action-pattern';
import { describe, expect, it } from 'vitest';

describe('action patterns', () => {
  it.each([
    ['*', 'anything', true],
    ['loan.approve', 'loan.approve', true],
    ['loan.approve', 'loan.approve.large', false],
    ['loan.*', 'loan.approve', true],
    ['loan.*', 'loan.approve.large', true],
    ['loan.*', 'loan', false],
    ['loan.*', 'loans.approve', false],
    ['loan.approve.*', 'loan.approve', false],
  ])('%s against %s', (pattern, actionType, matches) => {
    expect(matchesAction(pattern, actionType)).toBe(matches);
  });

  it('grow more specific with what they name', () => {
    const ordered = ['*', 'loan.*', 'loan.approve.*', 'loan.approve.large'];
    expect(ordered.toSorted((a, b) => specificity(a) - specificity(b))).toEqual(ordered);
  });

  it('allow a star only where it has a meaning', () => {
    for (const good of ['*', 'loan', 'loan.*', 'a.b.*', 'Approve loan'])
      expect(isActionPattern(good)).toBe(true);
    for (const bad of ['', '**', 'lo*', '*.loan', '.*', 'a.*.b', 'a.**'])
      expect(isActionPattern(bad)).toBe(false);
  });
});
