import { fileTransport } from './files.ts';
import type { Transport } from './message.ts';
import { smtpTransport } from './smtp.ts';

/** Where mails go: a server, or a folder. */
export type MailTarget = { kind: 'smtp'; url: string } | { kind: 'files'; directory: string };

export function openTransport(target: MailTarget, timeoutSeconds: number): Transport {
  return target.kind === 'smtp' ? smtpTransport(target.url, timeoutSeconds) : fileTransport(target.directory);
}
