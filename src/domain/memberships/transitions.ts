// The states of a membership as a table. It begins INVITED; REJECTED and ENDED are final.
import type { MembershipStatus } from '../../db/generated/prisma/enums.ts';

export type MembershipTransition = 'accept' | 'approve' | 'reject' | 'suspend' | 'reinstate' | 'end';

interface Transition {
  from: readonly MembershipStatus[];
  to: MembershipStatus;
  /** invitee: the person the membership belongs to; admin: an administrator of its center. */
  by: readonly ('invitee' | 'admin')[];
}

export const TRANSITIONS: Readonly<Record<MembershipTransition, Transition>> = {
  accept: { from: ['INVITED'], to: 'PENDING', by: ['invitee'] },
  approve: { from: ['PENDING'], to: 'ACTIVE', by: ['admin'] },
  reject: { from: ['INVITED', 'PENDING'], to: 'REJECTED', by: ['invitee', 'admin'] },
  suspend: { from: ['ACTIVE'], to: 'SUSPENDED', by: ['admin'] },
  reinstate: { from: ['SUSPENDED'], to: 'ACTIVE', by: ['admin'] },
  end: { from: ['ACTIVE', 'SUSPENDED'], to: 'ENDED', by: ['admin'] },
};

const MOVES = Object.keys(TRANSITIONS) as MembershipTransition[];

export function allowed(from: MembershipStatus, move: MembershipTransition): boolean {
  return TRANSITIONS[move].from.includes(from);
}

/** The transition from one status to another, or null if there is none. */
export function transitionFor(from: MembershipStatus, to: MembershipStatus): MembershipTransition | null {
  return MOVES.find((move) => TRANSITIONS[move].to === to && allowed(from, move)) ?? null;
}

export function canTransition(
  move: MembershipTransition,
  caller: { isInvitee: boolean; isCenterAdmin: boolean },
): boolean {
  const { by } = TRANSITIONS[move];
  return (caller.isInvitee && by.includes('invitee')) || (caller.isCenterAdmin && by.includes('admin'));
}

/** Only ACTIVE memberships take a seat of the subscription. */
export function needsSeat(move: MembershipTransition): boolean {
  return TRANSITIONS[move].to === 'ACTIVE';
}
