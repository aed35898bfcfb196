import { randomBytes } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';

/** The text of a file; null if there is none. */
export function readIfPresent(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

/** The value of a JSON text; null if it is not JSON. */
export function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Written atomically, to another file that is synced and renamed: a crash must not lose what was there. */
export async function replaceFile(path: string, text: string, mode?: number): Promise<void> {
  const apart = `${path}.${randomBytes(4).toString('hex')}.new`;
  const file = await open(apart, 'wx', mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(apart, path);
}
