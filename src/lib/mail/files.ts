import { mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createTransport } from 'nodemailer';
import { composed, type Transport } from './message.ts';
import type { StoredMail } from './stored.ts';

/** For development: writes each mail to an `.eml` file that mail programs can open, and to a file that `readMails` reads. */
export function fileTransport(directory: string): Transport {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    async send(message) {
      const { to, subject, text, at, id } = message;
      const { message: eml } = await composer.sendMail(composed(message));
      await mkdir(directory, { recursive: true, mode: 0o700 });
      // Names sort by time.
      const name = join(directory, `${at.toISOString().replace(/[:.]/g, '-')}-${id}`);
      await writeWhole(`${name}.eml`, eml as Buffer);
      const stored: StoredMail = { to, subject, text, links: linksIn(text), at: at.toISOString() };
      await writeWhole(`${name}.json`, JSON.stringify(stored));
      return { outcome: 'sent' };
    },
    close: () => composer.close(),
  };
}

/** Readers of the folder see only complete files. */
async function writeWhole(file: string, content: string | Buffer): Promise<void> {
  const partial = join(dirname(file), `.${basename(file)}`);
  await writeFile(partial, content, { mode: 0o600 });
  await rename(partial, file);
}

const linksIn = (text: string) => text.match(/https?:\/\/[^\s<>"]+/g) ?? [];
