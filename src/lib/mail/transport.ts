import type { Transport } from './message.ts';

/** Where mails go: a server, or a folder. */
export type MailTarget = { kind: 'smtp'; url: string } | { kind: 'files'; directory: string };

/** Opened with the first mail: a process that sends none loads no mail code. */
export function openTransport(target: MailTarget, timeoutSeconds: number): Transport {
  let opened: Promise<Transport> | undefined;
  const open = async () => {
    if (target.kind === 'files') return (await import('./files.ts')).fileTransport(target.directory);
    return (await import('./smtp.ts')).smtpTransport(target.url, timeoutSeconds);
  };
  return {
    async send(message) {
      opened ??= open();
      return (await opened).send(message);
    },
    close: () => void opened?.then((transport) => transport.close()),
  };
}
