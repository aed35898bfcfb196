import { type ParsedCronItem, parseCronItems } from 'graphile-worker';
import type { App } from '../app.ts';
import { autoSealJob } from '../domain/decisions/approve/auto-seal.ts';
import { meetDeadlines, planEscalations } from '../domain/decisions/approve/deadlines.ts';
import { checkEmailDomains } from '../domain/email-domains/daily-check.ts';
import { makeEventWeeks } from '../domain/housekeeping/event-weeks.ts';
import { deleteOldEvents } from '../domain/housekeeping/retention.ts';
import { sweep } from '../domain/housekeeping/sweep.ts';
import { identityMails } from '../domain/mail/identity-templates.ts';
import { sendMail } from '../domain/mail/send.ts';
import { accountMails } from '../domain/mail/templates.ts';
import type { ChatSender } from '../domain/notifications/chat-sender.ts';
import { noteApprovers } from '../domain/notifications/follow.ts';
import { approvalMails } from '../domain/notifications/mail-templates.ts';
import { postDigests } from '../domain/notifications/mails.ts';
import { noteQuestion } from '../domain/notifications/notices.ts';
import { notifyOfDecisions } from '../domain/notifications/notify.ts';
import { expireTrials } from '../domain/subscriptions/manage.ts';
import { foldTallies } from '../domain/tallies/tally.ts';
import { requeueLostDeliveries } from '../domain/webhooks/requeue-lost.ts';
import type { WebhookSender } from '../domain/webhooks/sender.ts';
import type { CallOutside } from '../domain/workflows/engine/outcome.ts';
import { runExecution } from '../domain/workflows/engine/run.ts';
import { requeueStalled } from '../domain/workflows/queue-run.ts';
import { runSchedules } from '../domain/workflows/run-schedules.ts';
import { startEventWorkflows } from '../domain/workflows/start-event-workflows.ts';
import { enqueue } from '../queue/enqueue.ts';
import type { TaskName, TaskPayload } from '../queue/tasks.ts';

/** What a handler receives besides its payload. */
export interface JobRun {
  app: App;
  jobId: string;
  attempt: number;
  sender: WebhookSender;
  chats: ChatSender;
  /** Makes calls to other servers without occupying a slot of the job's pool. */
  callOutside: CallOutside;
}

type Handler<Name extends TaskName> = (payload: TaskPayload<Name>, run: JobRun) => Promise<void>;

const templates = { ...accountMails, ...identityMails, ...approvalMails };

/** One handler for every task; a task without one does not compile. */
export const handlers: { [Name in TaskName]: Handler<Name> } = {
  check_email_domains: (_, { app }) => checkEmailDomains(app, new Date()),
  deliver_webhook: (key, { sender }) => sender.deliver(key),
  fold_tallies: async (_, { app }) => {
    while ((await foldTallies(app.db.pool)) > 0);
  },
  forget_old_events: async (_, { app }) => {
    await deleteOldEvents(app, new Date());
  },
  lapse_subscriptions: async (_, { app }) => {
    await expireTrials(app, new Date());
  },
  make_partitions: async (_, { app }) => {
    await makeEventWeeks(app, new Date());
  },
  meet_deadlines: async (_, { app }) => {
    await runAgainSoon(app, 'meet_deadlines');
    await meetDeadlines(app);
  },
  notify_of_decisions: async (_, { app }) => {
    await runAgainSoon(app, 'notify_of_decisions');
    await notifyOfDecisions(app);
  },
  notify_of_question: (question, { app }) => noteQuestion(app, question, new Date()),
  plan_escalations: ({ centerId }, { app }) => planEscalations(app, centerId),
  remind_approvers: (reminder, { app }) => noteApprovers(app, reminder, new Date()),
  run_schedules: async (_, { app }) => {
    await runSchedules(app);
    await requeueStalled(app);
  },
  run_workflow: ({ executionId }, { app, jobId, attempt, callOutside }) =>
    runExecution(app, executionId, { jobId, attempt }, callOutside),
  seal_decision: async ({ centerId, eventId }, { app }) => autoSealJob(app, centerId, eventId),
  send_chat: (job, { chats }) => chats.send(job),
  send_digests: (_, { app }) => postDigests(app),
  send_mail: ({ mailId }, { app }) => sendMail(app, mailId, templates),
  start_event_workflows: ({ eventId, causes }, { app }) => startEventWorkflows(app, eventId, causes),
  sweep: async (_, { app }) => {
    await sweep(app);
    await requeueLostDeliveries(app);
  },
};

/** Passes that repeat every few seconds, because an expiry or an escalation must be recorded within 30. */
const frequentPasses = ['meet_deadlines', 'notify_of_decisions'] as const;
const PASS_EVERY_MS = 5_000;
/** A backlog of other jobs must not delay the passes. */
const PASS_PRIORITY = -10;

/** Each pass has at most one job that waits. */
function queuePass({ db }: App, task: (typeof frequentPasses)[number], runAt: Date): Promise<void> {
  return enqueue(db.pool, task, {}, { runAt, key: `timed:${task}`, priority: PASS_PRIORITY });
}

const runAgainSoon = (app: App, task: (typeof frequentPasses)[number]) =>
  queuePass(app, task, new Date(Date.now() + PASS_EVERY_MS));

/** Begins the passes of a worker that starts. Should their jobs get lost, the crontab begins them again. */
export async function startPasses(app: App): Promise<void> {
  for (const task of frequentPasses) await queuePass(app, task, new Date());
}

interface TimedTask {
  task: TaskName;
  /** Five cron fields, in UTC. */
  match: string;
}

const timed: TimedTask[] = [
  { task: 'check_email_domains', match: '53 * * * *' },
  { task: 'fold_tallies', match: '* * * * *' },
  { task: 'forget_old_events', match: '41 * * * *' },
  { task: 'lapse_subscriptions', match: '*/5 * * * *' },
  { task: 'make_partitions', match: '29 * * * *' },
  { task: 'meet_deadlines', match: '* * * * *' },
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
      options: { backfillPeriod: 0, maxAttempts: 1, jobKey: `timed:${task}`, priority: PASS_PRIORITY },
    })),
  );
}
