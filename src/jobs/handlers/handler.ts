import type { App } from '../../domain/app.ts';
import type { Courier } from '../../domain/webhooks/courier.ts';
import type { TaskName, TaskPayload } from '../../queue/tasks.ts';

/** What a handler gets beside its payload. */
export interface JobRun {
  app: App;
  jobId: string;
  attempt: number;
  courier: Courier;
}

export type Handler<Name extends TaskName> = (payload: TaskPayload<Name>, run: JobRun) => Promise<void>;
