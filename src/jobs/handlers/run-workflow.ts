import { runExecution } from '../../domain/workflows/engine/run.ts';
import type { Handler } from './handler.ts';

export const runWorkflow: Handler<'run_workflow'> = ({ executionId }, { app, jobId, attempt, callOutside }) =>
  runExecution(app, executionId, { jobId, attempt }, callOutside);
