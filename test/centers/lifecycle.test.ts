import { expect, it } from 'vitest';
import type { CenterStatus } from '../../src/db/generated/prisma/enums.ts';
import { type CenterTransition, statusAfter } from '../../src/domain/centers/administer.ts';

const EXPECTED: Record<CenterStatus, Record<CenterTransition, CenterStatus | null>> = {
  ACTIVE: { suspend: 'SUSPENDED', reactivate: null, end: 'INACTIVE' },
  SUSPENDED: { suspend: null, reactivate: 'ACTIVE', end: 'INACTIVE' },
  INACTIVE: { suspend: null, reactivate: null, end: null },
};

it.each(Object.keys(EXPECTED) as CenterStatus[])(
  'status after each transition of a center that is %s',
  (from) => {
    for (const [move, to] of Object.entries(EXPECTED[from])) {
      expect(statusAfter(from, move as CenterTransition), move).toBe(to);
    }
  },
);
