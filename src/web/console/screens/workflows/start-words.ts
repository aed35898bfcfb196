import { scheduleWords } from '../../text/schedule.ts';
import type { Workflow } from './definitions.ts';

/** What starts a workflow, in short. */
export function startWords({
  type,
  cron,
  timezone,
  eventPattern,
}: Pick<Workflow, 'type' | 'cron' | 'timezone' | 'eventPattern'>): string {
  switch (type) {
    case 'SCHEDULED':
      return scheduleWords(cron ?? '', timezone ?? '');
    case 'EVENT':
      return eventPattern === '*' ? 'On every event' : `On ${eventPattern}`;
    default:
      return 'By hand';
  }
}

/** Who or what has started a run. */
export function starterWords(startedBy: string, myId: string): string {
  if (startedBy === 'schedule') return 'The schedule';
  if (startedBy.startsWith('evt_')) return 'An event';
  return startedBy === myId ? 'You' : 'A member';
}
