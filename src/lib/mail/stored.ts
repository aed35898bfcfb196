import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A stored mail, as `fileTransport` writes it beside the `.eml` file. */
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
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .sort()
    .reverse()
    .slice(0, most);
  return Promise.all(
    newest.map(async (name) => JSON.parse(await readFile(join(directory, name), 'utf8')) as StoredMail),
  );
}
