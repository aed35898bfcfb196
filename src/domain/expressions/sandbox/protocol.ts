// The messages between the service and its sandbox processes. Tasks are sent as text, so that only the evaluating thread parses
// them.

export const LIMITS = {
  /** The CPU time limits of one expression, and of all expressions of a step. */
  expressionMs: 250,
  stepMs: 1_000,
  memoryMb: 128,
} as const;

export const TOO_LONG = `takes more than ${LIMITS.expressionMs} ms of processor time`;
export const STEP_TOO_LONG = `the step takes more than ${LIMITS.stepMs} ms of processor time`;
export const TOO_LARGE = `takes more than ${LIMITS.memoryMb} MB of memory`;

/** From a sandbox: it is ready, or the result of its task. */
export type SandboxMessage =
  | { kind: 'ready' }
  | { kind: 'values'; values: string }
  /** The expression itself is at fault: a retry cannot help. */
  | { kind: 'failed'; error: string }
  /** The same, and the process ends because the task exceeded its limits. */
  | { kind: 'spent'; error: string };

/** Offsets in the memory that a sandbox's two threads share. */
export const SHARED = { expressionsBegun: 0, length: 1 } as const;
