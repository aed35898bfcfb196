import type { ExecutionStatus } from '../../db/generated/prisma/enums.ts';
import type { Work } from '../unit-of-work.ts';
import { executionTopic } from './topic.ts';

export const finalStatuses: ReadonlySet<ExecutionStatus> = new Set(['COMPLETED', 'FAILED', 'CANCELLED']);

export interface Move {
  workflowId: string;
  executionId: string;
  from: ExecutionStatus | null;
  to: ExecutionStatus;
  dpuId?: string | null;
}

/** Tells subscribers and watchers that an execution moved, with the commit of the move itself. */
export function announceMove(work: Work, { workflowId, executionId, from, to, dpuId = null }: Move): void {
  work.emit('workflow.transitioned', { workflowId, executionId, from, to, dpuId });
  work.publish(executionTopic(executionId), { id: executionId, position: null, status: to });
}

/** Tells watchers that a step began, waits or ended. */
export function announceStep(work: Work, executionId: string, position: number, status: string): void {
  work.publish(executionTopic(executionId), { id: executionId, position, status });
}
