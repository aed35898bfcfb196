import { isUnavailable } from '../../../db/faults.ts';
import { enqueue } from '../../../queue/enqueue.ts';
import type { ProofApp } from '../../decisions/decision-context.ts';
import { transact } from '../../unit-of-work.ts';
import { enqueueRun, runKey } from '../queue-run.ts';
import { beginStep, type StartedStep, StepNotRunnable } from './begin-step.ts';
import { finishExecution } from './finish-execution.ts';
import { finishStep } from './finish-step.ts';
import { claim, type Job, keepLease, LeaseLost, releaseLease } from './lease.ts';
import { type CallOutside, failed, type Outcome } from './outcome.ts';
import { performerOf } from './performers.ts';
import { type Run, runContext } from './run-state.ts';

/**
 * Runs an execution from its current position until it ends or waits. Each step is recorded before it begins and when it ends,
 * so if a worker dies at any point, the next one can continue from the record.
 */
export async function runExecution(
  app: ProofApp,
  executionId: string,
  job: Job,
  callOutside: CallOutside = async (_, call) => call(),
): Promise<void> {
  const run = await claim(app, executionId, job);
  if (run === null) return;
  try {
    if (run instanceof Date) await comeBack(app, executionId, run);
    else while (await advance(app, run, callOutside));
  } catch (error) {
    // Another worker has it, or it was canceled. Either way this job is done.
    if (!(error instanceof LeaseLost)) throw error;
  }
}

async function advance(app: ProofApp, run: Run, callOutside: CallOutside): Promise<boolean> {
  const step = run.steps[run.position]?.step;
  if (!step) {
    await complete(app, run);
    return false;
  }
  let attempts = 0;
  let outcome: Outcome;
  try {
    const begun = await beginStep(runContext(app, run), run, step);
    if (begun instanceof Date) {
      await postpone(app, run, begun);
      return false;
    }
    attempts = begun.attempts;
    outcome = await attempt(begun, callOutside);
  } catch (error) {
    if (!(error instanceof StepNotRunnable)) throw error;
    outcome = failed(error.message);
  }
  return finishStep(runContext(app, run), run, step, attempts, outcome);
}

async function attempt(begun: StartedStep, callOutside: CallOutside): Promise<Outcome> {
  const { step } = begun.run.steps[begun.position]!;
  const { outside, perform } = performerOf(step);
  try {
    if (!outside) return await perform(step, begun);
    const target = { centerId: begun.run.centerId, host: outside.host(begun.input) };
    return await callOutside(target, () => perform(step, begun));
  } catch (error) {
    // This says nothing about the step, which is recorded as started: the job is retried.
    if (isUnavailable(error)) throw error;
    begun.ctx.app.log.warn({ err: error, executionId: begun.run.executionId }, 'a workflow step failed');
    return failed((error as Error).message);
  }
}

function complete(app: ProofApp, run: Run): Promise<void> {
  const ctx = runContext(app, run);
  return transact(ctx, async (work) => {
    await keepLease(work.db, run);
    await finishExecution(ctx, work, run.executionId, 'COMPLETED');
  });
}

/** The job ran before the step was due. */
function postpone(app: ProofApp, run: Run, until: Date): Promise<void> {
  return transact(runContext(app, run), async (work) => {
    await keepLease(work.db, run);
    await releaseLease(work.db, run);
    enqueueRun(work, { id: run.executionId, centerId: run.centerId }, { runAt: until });
  });
}

/** Another worker holds it: try again when its lease expires. */
function comeBack({ db }: Pick<ProofApp, 'db'>, executionId: string, runAt: Date): Promise<void> {
  return enqueue(db.pool, 'run_workflow', { executionId }, { runAt, key: runKey(executionId) });
}
