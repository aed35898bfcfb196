import type { App } from '../../app.ts';
import type { ChatSender } from '../../domain/notifications/chat-sender.ts';
import type { WebhookSender } from '../../domain/webhooks/sender.ts';
import type { CallOutside } from '../../domain/workflows/engine/outcome.ts';
import type { TaskName, TaskPayload } from '../../queue/tasks.ts';

/** What a handler gets beside its payload. */
export interface JobRun {
  app: App;
  jobId: string;
  attempt: number;
  sender: WebhookSender;
  chats: ChatSender;
  /** Makes calls to other servers without a slot of the job's pool. */
  callOutside: CallOutside;
}

export type Handler<Name extends TaskName> = (payload: TaskPayload<Name>, run: JobRun) => Promise<void>;
