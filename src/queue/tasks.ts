import { z } from 'zod';

/**
 * All background tasks with the shape of their payloads, checked when a job is queued and again when it runs. A payload holds
 * ids, never data that could be stale or secret by then.
 */
export const tasks = {
  /** Looks up the DNS records of verified email domains that are due. */
  check_email_domains: z.object({}),
  /** Makes one attempt to deliver an event to a webhook. */
  deliver_webhook: z.object({ webhookId: z.string(), eventId: z.string() }),
  /** Adds counter deltas to their totals. */
  fold_tallies: z.object({}),
  /** Drops and deletes old delivered events with their deliveries. */
  forget_old_events: z.object({}),
  /** Ends expired trials. */
  lapse_subscriptions: z.object({}),
  /** Creates the partitions for the coming weeks. */
  make_partitions: z.object({}),
  /** Rejects decisions that were not approved in time, and escalates open seats. */
  meet_deadlines: z.object({}),
  /** Finds decisions that people and chats have not been notified of, and queues the mails and messages. */
  notify_of_decisions: z.object({}),
  /** Notifies the people who can answer a question of a workflow. */
  notify_of_question: z.object({ centerId: z.int(), executionId: z.string() }),
  /** Writes the escalation times of a center's decisions after a policy changed. */
  plan_escalations: z.object({ centerId: z.int() }),
  /** Notifies approvers that a decision expires soon or has started to wait. */
  remind_approvers: z.object({
    centerId: z.int(),
    eventId: z.string(),
    occasion: z.enum(['WAITING', 'REMINDER']),
  }),
  /** Starts scheduled workflows that are due and resumes abandoned executions. */
  run_schedules: z.object({}),
  /** Runs an execution of a workflow until it ends or waits. */
  run_workflow: z.object({ executionId: z.string(), centerId: z.int().optional() }),
  /** Seals an agent's decision that needs no approval, if the original call could not. */
  seal_decision: z.object({ centerId: z.int(), eventId: z.string() }),
  /** Sends pending notifications or a test message to a chat. */
  send_chat: z.object({ channelId: z.string(), test: z.boolean() }),
  /** Queues the daily mails about waiting decisions. */
  send_digests: z.object({}),
  /** Makes one attempt to send a mail. */
  send_mail: z.object({ mailId: z.string() }),
  /** Starts the workflows that are triggered by an event. */
  start_event_workflows: z.object({
    eventId: z.string(),
    causes: z.array(z.string()),
    centerId: z.int().optional(),
  }),
  /** Deletes expired data: stored answers, used tokens, old counters. Requeues deliveries without a job. */
  sweep: z.object({}),
} as const;

export type TaskName = keyof typeof tasks;

/**
 * The worker pools. Calls to external servers and work started by tenants never take a worker from the service's own
 * deadlines.
 */
export const poolOf: Record<TaskName, 'deadlines' | 'workflows' | 'deliveries' | 'mail'> = {
  check_email_domains: 'mail',
  deliver_webhook: 'deliveries',
  fold_tallies: 'deadlines',
  forget_old_events: 'deadlines',
  lapse_subscriptions: 'deadlines',
  make_partitions: 'deadlines',
  meet_deadlines: 'deadlines',
  notify_of_decisions: 'deadlines',
  notify_of_question: 'deadlines',
  plan_escalations: 'deadlines',
  remind_approvers: 'deadlines',
  run_schedules: 'deadlines',
  run_workflow: 'workflows',
  seal_decision: 'deadlines',
  send_chat: 'deliveries',
  send_digests: 'deadlines',
  send_mail: 'mail',
  start_event_workflows: 'workflows',
  sweep: 'deadlines',
};

export type PoolName = (typeof poolOf)[TaskName];

/**
 * How often a job may fail; 25 times by default. A delivery counts its own attempts. The queue's count only guards against
 * jobs that crash, and must never cause an event to be lost.
 */
export const MAX_ATTEMPTS: Partial<Record<TaskName, number>> = { deliver_webhook: 1_000 };

export type TaskPayload<Name extends TaskName> = z.infer<(typeof tasks)[Name]>;
