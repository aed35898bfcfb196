import type { App } from '../../domain/app.ts';
import type { WebhookSender } from '../../domain/webhooks/sender.ts';
import type { TaskName, TaskPayload } from '../../queue/tasks.ts';

/** What a handler gets beside its payload. */
export interface JobRun {
  app: App;
  jobId: string;
  attempt: number;
  sender: WebhookSender;
}

export type Handler<Name extends TaskName> = (payload: TaskPayload<Name>, run: JobRun) => Promise<void>;
