import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { headersOf, type Transport } from './message.ts';

/** Where nothing is sent: each mail becomes one file that every mail program opens. */
export function fileTransport(directory: string): Transport {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    async send(message) {
      const { from, to, subject, text, html, at, id } = message;
      const { message: eml } = await composer.sendMail({
        ...headersOf(message),
        from,
        to: { name: '', address: to },
        subject,
        text,
        html,
        date: at,
      });
      await mkdir(directory, { recursive: true, mode: 0o700 });
      // Readers of the folder see complete files only. Names sort by time.
      const name = `${at.toISOString().replace(/[:.]/g, '-')}-${id}`;
      await writeFile(join(directory, `.${name}`), eml, { mode: 0o600 });
      await rename(join(directory, `.${name}`), join(directory, `${name}.eml`));
      return { outcome: 'sent' };
    },
    close: () => composer.close(),
  };
}
