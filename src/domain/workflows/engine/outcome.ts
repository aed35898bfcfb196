import type { Pieces, Values } from '../../expressions/sandbox/pieces.ts';
import type { Work } from '../../unit-of-work.ts';
import type { Step } from '../definition/steps.ts';
import type { Run, RunContext } from './run-state.ts';

/** The most that a step may take in or give out, as JSON. */
export const MAX_JSON_BYTES = 256 * 1024;

export type Output = Record<string, unknown>;

/** How an attempt of a step ended. */
export type Outcome =
  | {
      kind: 'done';
      /** Or the change in this service that gives it: committed together with it, so it happens once. */
      output: Output | ((work: Work) => Promise<Output>);
      /** Goes on with this step in place of the next; the number of steps means the end. */
      next?: number;
    }
  | { kind: 'pause'; until: Date }
  /** No attempt was made: too many calls to other servers are under way. */
  | { kind: 'busy'; retryAfterMs: number }
  | { kind: 'review' }
  | { kind: 'failed'; error: string; retryable: boolean };

/** Works out what the author of a step wrote, in the scope of its run. */
export type Render = <Name extends string>(pieces: Pieces<Name>) => Promise<Values<Name>>;

/** What a step works with at one attempt. */
export interface StepAttempt {
  ctx: RunContext;
  run: Run;
  position: number;
  /** What `prepare` made at the first attempt, as it was stored. */
  input: Record<string, unknown>;
  /** The same at every attempt, except for secrets that are not stored. */
  render: Render;
}

/** One kind of step: what it takes from the scope, and what it does with that. */
export interface Performer<S extends Step = Step> {
  /** Computed and stored before the first attempt, so that every further attempt does the same. */
  prepare(step: S, render: Render, ctx: RunContext): Promise<Record<string, unknown>>;
  perform(step: S, attempt: StepAttempt): Promise<Outcome> | Outcome;
  /** For steps that call another server. */
  outside?: {
    /** Seconds that an attempt may spend there, on top of what the lease always allows. */
    seconds(step: S): number;
    /** The tenant's host that is called; null for the operator's own server. */
    host(input: Record<string, unknown>): string | null;
  };
}

/**
 * Makes a call to another server without holding one of the worker's slots meanwhile, or answers after how many
 * milliseconds to try again.
 */
export type CallOutside = (
  target: { centerId: number; host: string | null },
  call: () => Promise<Outcome> | Outcome,
) => Promise<Outcome>;

export const failed = (error: string, retryable = false): Outcome => ({ kind: 'failed', error, retryable });
