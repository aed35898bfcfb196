import { startEventWorkflows } from '../../domain/workflows/start-event-workflows.ts';
import type { Handler } from './handler.ts';

export const startWaitingWorkflows: Handler<'start_event_workflows'> = ({ eventId, causes }, { app }) =>
  startEventWorkflows(app, eventId, causes);
