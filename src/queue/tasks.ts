import { z } from 'zod';

/**
 * Every background task with the shape of its payload: checked when a job is queued and again when it runs.
 * A payload holds ids, never data that could be stale or secret by the time it runs.
 */
export const tasks = {
  /** Makes one attempt to bring an event to a webhook. */
  deliver_webhook: z.object({ webhookId: z.string(), eventId: z.string() }),
  /** Notes which decisions have seats that are still open after their time. */
  escalate_decisions: z.object({}),
  /** Rejects a decision that was not approved in time. */
  expire_decision: z.object({ centerId: z.int(), eventId: z.string() }),
  /** Adds counter deltas to their totals. */
  fold_tallies: z.object({}),
  /** Drops and deletes events that were delivered long ago, with their deliveries. */
  forget_old_events: z.object({}),
  /** Ends trials whose time is over. */
  lapse_subscriptions: z.object({}),
  /** Makes the partitions of the next weeks. */
  make_partitions: z.object({}),
  /** Finds decisions that people and chats have not been told of, and queues the mails and messages. */
  notify_of_decisions: z.object({}),
  /** Tells people that a decision which needs their approval expires soon, or has begun to wait. */
  remind_approvers: z.object({
    centerId: z.int(),
    eventId: z.string(),
    occasion: z.enum(['WAITING', 'REMINDER']),
  }),
  /** Starts the timed workflows whose moment has come and picks up abandoned executions. */
  run_schedules: z.object({}),
  /** Runs an execution of a workflow until it ends or waits. */
  run_workflow: z.object({ executionId: z.string(), centerId: z.int().optional() }),
  /** Seals an agent's decision that needs no approval, if its own call could not. */
  seal_decision: z.object({ centerId: z.int(), eventId: z.string() }),
  /** Sends what a chat has not been told of yet, or a test message. */
  send_chat: z.object({ channelId: z.string(), test: z.boolean() }),
  /** Queues the daily mails about waiting decisions. */
  send_digests: z.object({}),
  /** Makes one attempt to send a mail. */
  send_mail: z.object({ mailId: z.string() }),
  /** Starts the workflows that wait for an event. */
  start_event_workflows: z.object({
    eventId: z.string(),
    causes: z.array(z.string()),
    centerId: z.int().optional(),
  }),
  /** Deletes what has outlived its use: stored answers, spent tokens, old counters. Picks up deliveries without a job. */
  sweep: z.object({}),
} as const;

export type TaskName = keyof typeof tasks;

/**
 * The pools of workers. What waits for other people's servers, and what tenants set off, never takes a worker from the
 * service's own deadlines.
 */
export const poolOf: Record<TaskName, 'deadlines' | 'workflows' | 'deliveries' | 'mail'> = {
  deliver_webhook: 'deliveries',
  escalate_decisions: 'deadlines',
  expire_decision: 'deadlines',
  fold_tallies: 'deadlines',
  forget_old_events: 'deadlines',
  lapse_subscriptions: 'deadlines',
  make_partitions: 'deadlines',
  notify_of_decisions: 'deadlines',
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
 * How often a job may fail; 25 times where nothing is said. A delivery keeps its own count of attempts: the queue's count
 * only guards against jobs that crash, and must never be what loses an event.
 */
export const MAX_ATTEMPTS: Partial<Record<TaskName, number>> = { deliver_webhook: 1_000 };

export type TaskPayload<Name extends TaskName> = z.infer<(typeof tasks)[Name]>;
