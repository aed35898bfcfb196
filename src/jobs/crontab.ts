import { type ParsedCronItem, parseCronItems } from 'graphile-worker';
import type { TaskName } from '../queue/tasks.ts';

interface TimedTask {
  task: TaskName;
  /** Five cron fields, in UTC. */
  match: string;
}

const timed: TimedTask[] = [
  { task: 'escalate_decisions', match: '* * * * *' },
  { task: 'fold_tallies', match: '* * * * *' },
  { task: 'forget_old_events', match: '41 * * * *' },
  { task: 'lapse_subscriptions', match: '*/5 * * * *' },
  { task: 'make_partitions', match: '29 * * * *' },
  { task: 'notify_of_decisions', match: '* * * * *' },
  { task: 'run_schedules', match: '* * * * *' },
  { task: 'send_digests', match: '*/10 * * * *' },
  { task: 'sweep', match: '17 * * * *' },
];

/** What runs on a timer, once for all workers together. A run that was missed is not made up for: the next one does it. */
export function cronItems(): ParsedCronItem[] {
  return parseCronItems(
    timed.map(({ task, match }) => ({
      task,
      match,
      payload: {},
      options: { backfillPeriod: 0, maxAttempts: 1, jobKey: `timed:${task}` },
    })),
  );
}
