import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A mail as it lies in the folder. */
export interface StoredMail {
  to: string;
  subject: string;
  text: string;
  links: string[];
  at: string;
}

/** The newest mails of the folder, newest first. */
export async function readMails(directory: string, most: number): Promise<StoredMail[]> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const newest = names
    .filter((name) => name.endsWith('.eml') && !name.startsWith('.'))
    .sort()
    .reverse()
    .slice(0, most);
  return Promise.all(newest.map(async (name) => parsed(await readFile(join(directory, name)))));
}

async function parsed(eml: Buffer): Promise<StoredMail> {
  const { default: PostalMime } = await import('postal-mime');
  const { to, subject, text, date } = await PostalMime.parse(eml);
  const body = text ?? '';
  return {
    to: to?.[0]?.address ?? '',
    subject: subject ?? '',
    text: body,
    links: body.match(/https?:\/\/[^\s<>"]+/g) ?? [],
    at: date ?? '',
  };
}
