import type { Pieces, Values } from '../../expressions/sandbox/pieces.ts';
import type { Work } from '../../unit-of-work.ts';
import type { Step } from '../definition/steps.ts';
import type { Run, RunContext } from './run-state.ts';

/** The maximum size of a step's input or output, as JSON. */
export const MAX_JSON_BYTES = 256 * 1024;

export type Output = Record<string, unknown>;

/** The result of an attempt of a step. */
export type Outcome =
  | {
      kind: 'done';
      /** Or the change in this service that produces it. Both are committed together, so it happens once. */
      output: Output | ((work: Work) => Promise<Output>);
      /** Continues with this step instead of the next; the number of steps means the end. */
      next?: number;
    }
  | { kind: 'pause'; until: Date }
  /** No attempt was made, because too many outbound calls are in progress. */
  | { kind: 'busy'; retryAfterMs: number }
  | { kind: 'review' }
  | { kind: 'failed'; error: string; retryable: boolean };

/** Evaluates the templates of a step in the scope of its run. */
export type Render = <Name extends string>(pieces: Pieces<Name>) => Promise<Values<Name>>;

/** The input of a step for one attempt. */
export interface StepAttempt {
  ctx: RunContext;
  run: Run;
  position: number;
  /** The stored result of `prepare` from the first attempt. */
  input: Record<string, unknown>;
  /** The same at every attempt, except for secrets, which are not stored. */
  render: Render;
}

/** A kind of step: what it reads from the scope, and what it does with it. */
export interface Performer<S extends Step = Step> {
  /** Computed and stored before the first attempt, so that every further attempt does the same. */
  prepare(step: S, render: Render, ctx: RunContext): Promise<Record<string, unknown>>;
  perform(step: S, attempt: StepAttempt): Promise<Outcome> | Outcome;
  /** For steps that call another server. */
  outside?: {
    /** Seconds that an attempt may spend there, in addition to the lease's base duration. */
    seconds(step: S): number;
    /** The tenant's host that is called; null for the operator's own server. */
    host(input: Record<string, unknown>): string | null;
  };
}

/** Makes an outbound call without occupying a worker slot, or returns the delay in milliseconds until the next try. */
export type CallOutside = (
  target: { centerId: number; host: string | null },
  call: () => Promise<Outcome> | Outcome,
) => Promise<Outcome>;

export const failed = (error: string, retryable = false): Outcome => ({ kind: 'failed', error, retryable });
