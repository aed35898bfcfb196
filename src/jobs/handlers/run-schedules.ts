import { requeueStalled } from '../../domain/workflows/requeue-stalled.ts';
import { runSchedules } from '../../domain/workflows/run-schedules.ts';
import type { Handler } from './handler.ts';

export const runSchedulesNow: Handler<'run_schedules'> = async (_, { app }) => {
  await runSchedules(app);
  await requeueStalled(app);
};
