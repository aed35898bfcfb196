// What the service and its sandbox processes say to each other. The work itself travels as text, so that only the thread
// which does it ever reads it.

export const LIMITS = {
  /** Processor time of one expression, and of all that a step needs. */
  expressionMs: 250,
  stepMs: 1_000,
  memoryMb: 128,
} as const;

export const TOO_LONG = `takes more than ${LIMITS.expressionMs} ms of processor time`;
export const STEP_TOO_LONG = `the step takes more than ${LIMITS.stepMs} ms of processor time`;
export const TOO_LARGE = `takes more than ${LIMITS.memoryMb} MB of memory`;

/** From a sandbox: it is ready for work, or what its work came to. */
export type SandboxMessage =
  | { kind: 'ready' }
  | { kind: 'values'; values: string }
  /** The fault is the expression's own: trying again cannot help. */
  | { kind: 'failed'; error: string }
  /** The same, and the process ends: its work took too much. */
  | { kind: 'spent'; error: string };

/** Places in the memory that a sandbox's two threads share. */
export const SHARED = { expressionsBegun: 0, length: 1 } as const;
