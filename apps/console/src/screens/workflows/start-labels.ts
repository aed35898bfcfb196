import type { State } from '../../text/labels.ts';
import { scheduleLabel, zoneLabel } from '../../text/schedule.ts';
import type { Workflow } from './definitions.ts';

export const workflowState = ({ status }: Pick<Workflow, 'status'>): State =>
  status === 'ACTIVE' ? ['Active', 'good'] : ['Paused', 'quiet'];

/** The trigger of a workflow, in short. All times of a screen are in one zone, so a schedule in another zone shows no time. */
export function startLabel(
  { type, cron, timezone, eventPattern }: Pick<Workflow, 'type' | 'cron' | 'timezone' | 'eventPattern'>,
  zone: string,
): string {
  switch (type) {
    case 'SCHEDULED':
      return timezone === zone
        ? scheduleLabel(cron ?? '')
        : `On a schedule in ${zoneLabel(timezone ?? 'UTC')}`;
    case 'EVENT':
      return eventPattern === '*' ? 'On every event' : `On ${eventPattern}`;
    default:
      return 'By hand';
  }
}

/** Who or what started a run. */
export function starterLabel(startedBy: string, myId: string): string {
  if (startedBy === 'schedule') return 'The schedule';
  if (startedBy.startsWith('evt_')) return 'An event';
  return startedBy === myId ? 'You' : 'A member';
}
