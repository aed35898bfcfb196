// The life of a center as a table. It begins ACTIVE; INACTIVE is how "ended" is stored, and it is final.

export type CenterStatus = 'ACTIVE' | 'SUSPENDED' | 'INACTIVE';
export type CenterTransition = 'suspend' | 'reactivate' | 'end';

const TRANSITIONS: Readonly<Record<CenterTransition, { from: readonly CenterStatus[]; to: CenterStatus }>> = {
  suspend: { from: ['ACTIVE'], to: 'SUSPENDED' },
  reactivate: { from: ['SUSPENDED'], to: 'ACTIVE' },
  end: { from: ['ACTIVE', 'SUSPENDED'], to: 'INACTIVE' },
};

/** The status after the move, or null where the move is not allowed in that status. */
export function statusAfter(from: CenterStatus, move: CenterTransition): CenterStatus | null {
  const { from: starts, to } = TRANSITIONS[move];
  return starts.includes(from) ? to : null;
}
