import { z } from 'zod';

/**
 * Every background task with the shape of its payload: checked when a job is queued and again when it runs.
 * A payload holds ids, never data that could be stale or secret by the time it runs.
 */
export const tasks = {
  /** Posts one event to one webhook. */
  deliver_webhook: z.object({ webhookId: z.string(), eventId: z.string() }),
  /** Takes a workflow execution from its next step as far as it goes. */
  run_workflow: z.object({ executionId: z.string() }),
  /** Starts the EVENT workflows that an event triggers. */
  start_event_workflows: z.object({ eventId: z.string() }),
  /** Tries again to seal an agent's decision. */
  seal_decision: z.object({ eventId: z.string() }),
  /** Signs a checkpoint of every chain that has grown. */
  make_checkpoints: z.object({}),
  /** Starts the workflows whose time has come. */
  run_schedules: z.object({}),
  /** Moves lapsed trials and unpaid subscriptions on. */
  lapse_subscriptions: z.object({}),
  /** Adds counter deltas to their totals. */
  fold_tallies: z.object({}),
  /** Deletes what has outlived its use: stored answers, spent tokens, old counters. */
  sweep: z.object({}),
} as const;

export type TaskName = keyof typeof tasks;
export type TaskPayload<Name extends TaskName> = z.infer<(typeof tasks)[Name]>;
