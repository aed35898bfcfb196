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

/** Scheduled tasks, run once across all workers. A missed run is not repeated: the next run does its work. */
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
