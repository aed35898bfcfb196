import { authenticationLabels } from '../../text/policies.ts';
import { RequirementList } from './guards.tsx';
import type { Decision } from './one-decision.ts';

type Seat = Decision['seats'][number];

/** The seats of a quorum: who may fill each, who did, and which are open. */
export function SeatList({ seats }: { seats: readonly Seat[] }) {
  const shown = seats.map((seat) => {
    const filled = seat.filledBy.map(({ approver }) => approver.name ?? approver.id);
    const names = filled.length > 0 ? `: ${filled.join(', ')}` : '';
    const authentication = authenticationLabels[seat.authentication];
    return {
      key: seat.index,
      verdict: seat.open ? ('pending' as const) : ('pass' as const),
      title: seatLabel(seat),
      detail: `${filled.length} of ${seat.count} filled${names}. ${authentication}.`,
    };
  });
  return <RequirementList of={shown} />;
}

/** Such as “2 of Finance”. */
export const seatLabel = ({ count, group, groupName }: Pick<Seat, 'count' | 'group' | 'groupName'>) =>
  `${count} of ${group === null ? 'any human' : (groupName ?? 'a group that was deleted')}`;
