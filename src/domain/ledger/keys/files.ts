import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The public key history: see key-history.ts of the proof kit. */
export const historyPath = (dataDir: string) => join(dataDir, 'signing-keys.log');
/** The encrypted private keys. The database has a second copy, so losing one of them loses no key. */
export const sealedPath = (dataDir: string) => join(dataDir, 'signing-keys.sealed');

export interface SealedKey {
  /** The 32 bytes in base64. */
  publicKey: string;
  sealed: string;
}

/** The complete lines of a file; none if it does not exist. A partial last line left by a crash is ignored. */
export async function readLines(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.split('\n').slice(0, -1).filter(Boolean);
}

/** Durable once this resolves. */
async function appendLines(path: string, lines: string[], mode: number): Promise<void> {
  if (lines.length === 0) return;
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, 'a+', mode);
  try {
    const text = await file.readFile('utf8');
    const whole = text.lastIndexOf('\n') + 1;
    // Start a new line first if a crash left a partial one.
    if (whole < text.length) await file.truncate(Buffer.byteLength(text.slice(0, whole)));
    await file.write(lines.map((line) => `${line}\n`).join(''));
    await file.sync();
  } finally {
    await file.close();
  }
}

export async function readSealed(dataDir: string): Promise<SealedKey[]> {
  return (await readLines(sealedPath(dataDir))).flatMap((line) => {
    try {
      return [JSON.parse(line) as SealedKey];
    } catch {
      return [];
    }
  });
}

export const appendSealed = (dataDir: string, keys: SealedKey[]): Promise<void> =>
  appendLines(
    sealedPath(dataDir),
    keys.map((key) => JSON.stringify(key)),
    0o600,
  );

export const appendHistory = (dataDir: string, lines: string[]): Promise<void> =>
  appendLines(historyPath(dataDir), lines, 0o644);
