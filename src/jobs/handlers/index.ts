import { forgetOldEvents } from '../../domain/housekeeping/retention.ts';
import { sweep } from '../../domain/housekeeping/sweep.ts';
import { sendMail } from '../../domain/mail/send.ts';
import { accountLetters } from '../../domain/mail/templates.ts';
import { noteApprovers } from '../../domain/notifications/follow.ts';
import { approvalLetters } from '../../domain/notifications/mail-templates.ts';
import { postDigests } from '../../domain/notifications/mails.ts';
import { notifyEveryFewSeconds } from '../../domain/notifications/notify.ts';
import { autoSealJob } from '../../domain/proof/auto-seal.ts';
import { escalateEveryFewSeconds } from '../../domain/proof/escalate.ts';
import { expireDecision } from '../../domain/proof/system-rejection.ts';
import { lapseTrials } from '../../domain/subscriptions/lapse.ts';
import { foldTallies } from '../../domain/tallies/tally.ts';
import { requeueLostDeliveries } from '../../domain/webhooks/requeue-lost.ts';
import type { TaskName } from '../../queue/tasks.ts';
import type { Handler } from './handler.ts';
import { runSchedulesNow } from './run-schedules.ts';
import { runWorkflow } from './run-workflow.ts';
import { startWaitingWorkflows } from './start-event-workflows.ts';

const letters = { ...accountLetters, ...approvalLetters };

/** One handler for every task, by type: a task without one does not compile. */
export const handlers: { [Name in TaskName]: Handler<Name> } = {
  deliver_webhook: (key, { sender }) => sender.deliver(key),
  escalate_decisions: (_, { app }) => escalateEveryFewSeconds(app),
  expire_decision: async ({ centerId, eventId }, { app }) => expireDecision(app, centerId, eventId),
  fold_tallies: async (_, { app }) => {
    while ((await foldTallies(app.db.pool)) > 0);
  },
  forget_old_events: async (_, { app }) => {
    await forgetOldEvents(app, new Date());
  },
  lapse_subscriptions: async (_, { app }) => {
    await lapseTrials(app, new Date());
  },
  notify_of_decisions: (_, { app }) => notifyEveryFewSeconds(app),
  remind_approvers: (reminder, { app }) => noteApprovers(app, reminder, new Date()),
  run_schedules: runSchedulesNow,
  run_workflow: runWorkflow,
  seal_decision: async ({ centerId, eventId }, { app }) => autoSealJob(app, centerId, eventId),
  send_chat: (job, { chats }) => chats.send(job),
  send_digests: (_, { app }) => postDigests(app),
  send_mail: ({ mailId }, { app }) => sendMail(app, mailId, letters),
  start_event_workflows: startWaitingWorkflows,
  sweep: async (_, { app }) => {
    await sweep(app);
    await requeueLostDeliveries(app);
  },
};
