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
  ])('%s matched with %s', (pattern, actionType, matches) => {
    expect(matchesAction(pattern, actionType)).toBe(matches);
  });

  it('are more specific the more segments they name', () => {
    const ordered = ['*', 'loan.*', 'loan.approve.*', 'loan.approve.large'];
    expect(ordered.toSorted((a, b) => specificity(a) - specificity(b))).toEqual(ordered);
  });

  it('allow * only alone or as the last segment', () => {
    for (const good of ['*', 'loan', 'loan.*', 'a.b.*', 'Approve loan'])
      expect(isActionPattern(good)).toBe(true);
    for (const bad of ['', '**', 'lo*', '*.loan', '.*', 'a.*.b', 'a.**'])
      expect(isActionPattern(bad)).toBe(false);
  });
});
