import { describe, expect, it } from 'vitest';
import type { MembershipStatus } from '../../src/db/generated/prisma/enums.ts';
import {
  allowed,
  canTransition,
  type MembershipTransition,
  needsSeat,
  transitionFor,
} from '../../src/domain/memberships/transitions.ts';

const STATUSES: MembershipStatus[] = ['INVITED', 'PENDING', 'ACTIVE', 'SUSPENDED', 'REJECTED', 'ENDED'];
const MOVES: MembershipTransition[] = ['accept', 'approve', 'reject', 'suspend', 'reinstate', 'end'];

/** Every legal pair of statuses, written out separately; all others are illegal. */
const LINKS: [MembershipStatus, MembershipStatus, MembershipTransition][] = [
  ['INVITED', 'PENDING', 'accept'],
  ['PENDING', 'ACTIVE', 'approve'],
  ['INVITED', 'REJECTED', 'reject'],
  ['PENDING', 'REJECTED', 'reject'],
  ['ACTIVE', 'SUSPENDED', 'suspend'],
  ['SUSPENDED', 'ACTIVE', 'reinstate'],
  ['ACTIVE', 'ENDED', 'end'],
  ['SUSPENDED', 'ENDED', 'end'],
];

describe('membership transitions', () => {
  it.each(STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const)))(
    'status %s to %s',
    (from, to) => {
      const link = LINKS.find(([a, b]) => a === from && b === to);
      expect(transitionFor(from, to)).toBe(link ? link[2] : null);
    },
  );

  it.each(STATUSES.flatMap((from) => MOVES.map((move) => [from, move] as const)))('%s: %s', (from, move) => {
    expect(allowed(from, move)).toBe(LINKS.some(([a, , m]) => a === from && m === move));
  });

  it('never lead out of REJECTED or ENDED', () => {
    for (const move of MOVES) {
      expect(allowed('REJECTED', move)).toBe(false);
      expect(allowed('ENDED', move)).toBe(false);
    }
  });

  it('are allowed to an ADMIN, except accepting; the invited person can accept or reject', () => {
    const invitee = { isInvitee: true, isCenterAdmin: false };
    const admin = { isInvitee: false, isCenterAdmin: true };
    for (const move of MOVES) {
      expect(canTransition(move, invitee)).toBe(move === 'accept' || move === 'reject');
      expect(canTransition(move, admin)).toBe(move !== 'accept');
      expect(canTransition(move, { isInvitee: false, isCenterAdmin: false })).toBe(false);
      expect(canTransition(move, { isInvitee: true, isCenterAdmin: true })).toBe(true);
    }
  });

  it('need a seat only when they lead to ACTIVE', () => {
    expect(MOVES.filter(needsSeat)).toEqual(['approve', 'reinstate']);
  });
});
