import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  periodAfter,
  reinstatement,
  type SubscriptionEvent,
  type SubscriptionStatus,
  statusAfter,
} from '../../src/domain/subscriptions/transitions.ts';

const STATUSES: SubscriptionStatus[] = ['TRIAL', 'ACTIVE', 'PAST_DUE', 'SUSPENDED', 'CANCELED'];

/** For each event the status that follows TRIAL, ACTIVE, PAST_DUE, SUSPENDED, CANCELED; null means rejected. */
const EXPECTED: Record<SubscriptionEvent, (SubscriptionStatus | null)[]> = {
  payment_completed: ['ACTIVE', 'ACTIVE', 'ACTIVE', 'SUSPENDED', null],
  payment_failed: ['TRIAL', 'PAST_DUE', 'PAST_DUE', 'SUSPENDED', null],
  trial_lapsed: ['PAST_DUE', null, null, null, null],
  suspended: ['SUSPENDED', 'SUSPENDED', 'SUSPENDED', null, null],
  reinstated_paid: [null, null, null, 'ACTIVE', null],
  reinstated_unpaid: [null, null, null, 'PAST_DUE', null],
  canceled: ['CANCELED', 'CANCELED', 'CANCELED', 'CANCELED', null],
  resumed: [null, null, null, null, 'PAST_DUE'],
};

describe('subscription events', () => {
  it.each(Object.entries(EXPECTED) as [SubscriptionEvent, (SubscriptionStatus | null)[]][])(
    '%s',
    (event, row) => {
      expect(STATUSES.map((from) => statusAfter(from, event))).toEqual(row);
    },
  );

  it('lead from every status back to ACTIVE', () => {
    for (const start of STATUSES) {
      const reached = new Set([start]);
      for (const from of reached) {
        for (const event of Object.keys(EXPECTED) as SubscriptionEvent[]) {
          const to = statusAfter(from, event);
          if (to) reached.add(to);
        }
      }
      expect(reached.has('ACTIVE')).toBe(true);
    }
  });

  it('reinstate as paid only during a paid period', () => {
    const now = new Date('2026-05-01T00:00:00Z');
    expect(reinstatement(new Date('2026-05-02T00:00:00Z'), now)).toBe('reinstated_paid');
    expect(reinstatement(now, now)).toBe('reinstated_unpaid');
    expect(reinstatement(null, now)).toBe('reinstated_unpaid');
  });
});

describe('periodAfter', () => {
  it.each([
    ['2026-01-31T10:20:30.456Z', 'MONTHLY', '2026-02-28T10:20:30.456Z'],
    ['2028-01-31T00:00:00.000Z', 'MONTHLY', '2028-02-29T00:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', 'MONTHLY', '2027-01-31T23:59:59.999Z'],
    ['2026-03-15T12:00:00.000Z', 'MONTHLY', '2026-04-15T12:00:00.000Z'],
    ['2028-02-29T12:00:00.000Z', 'YEARLY', '2029-02-28T12:00:00.000Z'],
    ['2026-07-01T00:00:00.000Z', 'YEARLY', '2027-07-01T00:00:00.000Z'],
  ] as const)('%s %s ends %s', (start, cycle, end) => {
    expect(periodAfter(new Date(start), cycle).toISOString()).toBe(end);
  });

  it('returns to the original day after a short month', () => {
    const days = [];
    let at = new Date('2026-01-31T00:00:00Z');
    for (let i = 0; i < 4; i++) {
      at = periodAfter(at, 'MONTHLY', 31);
      days.push(at.toISOString().slice(5, 10));
    }
    expect(days).toEqual(['02-28', '03-31', '04-30', '05-31']);
  });

  it('lasts 28 to 31 or 365 to 366 days and keeps the time of day', () => {
    const dates = fc.date({ min: new Date('1980-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(dates, (start) => {
        const days = (cycle: 'MONTHLY' | 'YEARLY') =>
          (periodAfter(start, cycle).getTime() - start.getTime()) / 86_400_000;
        expect([28, 29, 30, 31]).toContain(days('MONTHLY'));
        expect([365, 366]).toContain(days('YEARLY'));
      }),
    );
  });
});
