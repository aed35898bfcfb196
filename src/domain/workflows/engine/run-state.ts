import type { Vertical } from '../../../db/generated/prisma/enums.ts';
import { makeContext } from '../../context.ts';
import type { ProofApp, ProofContext } from '../../decisions/decision-context.ts';
import type { PlannedStep } from '../definition/plan.ts';

/** An execution leased by the job that runs it. */
export interface Run {
  executionId: string;
  centerId: number;
  workflow: { id: string; name: string; vertical: Vertical };
  version: number;
  steps: PlannedStep[];
  position: number;
  parameters: Record<string, unknown>;
  startedBy: string;
  startedAt: Date;
  trail: string[];
  /** Identifies this job's lease. Every commit checks that the job still holds it. */
  owner: string;
  /** Outputs of the finished steps, by name. */
  outputs: Record<string, unknown>;
}

/** The context in which the steps of an execution run. */
export type RunContext = ProofContext;

/** The service as principal in the execution's center, at the current time. Effects are attributed to this workflow. */
export function runContext(
  app: ProofApp,
  run: Pick<Run, 'centerId' | 'workflow' | 'trail' | 'executionId'>,
): RunContext {
  return makeContext({
    app,
    principal: { kind: 'system', name: `workflow:${run.workflow.id}`, centerId: run.centerId },
    requestId: run.executionId,
    causes: run.trail,
  });
}
