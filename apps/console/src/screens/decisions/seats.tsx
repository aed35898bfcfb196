import { IconCheck, IconClock } from '@tabler/icons-react';
import { authenticationLabels } from '../../text/policies.ts';
import classes from './guards.module.css';
import type { Decision } from './one-decision.ts';

type Seat = Decision['seats'][number];

/** The seats of a quorum: who may fill each, who did, and which are open. */
export function SeatList({ seats }: { seats: readonly Seat[] }) {
  return (
    <ul className={classes.guards}>
      {seats.map((seat) => {
        const filled = seat.filledBy.map(({ approver }) => approver.name ?? approver.id);
        return (
          <li key={seat.index} data-verdict={seat.open ? 'pending' : 'pass'}>
            <span className={classes.icon} aria-hidden="true">
              {seat.open ? <IconClock size={14} /> : <IconCheck size={14} />}
            </span>
            <span>
              <strong>{seatLabel(seat)}</strong>
              <span className={classes.detail}>
                {filled.length} of {seat.count} filled{filled.length > 0 && `: ${filled.join(', ')}`}.{' '}
                {authenticationLabels[seat.authentication]}.
              </span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** Such as “2 of Finance”. */
export const seatLabel = ({ count, group, groupName }: Pick<Seat, 'count' | 'group' | 'groupName'>) =>
  `${count} of ${group === null ? 'any human' : (groupName ?? 'a group that was deleted')}`;
