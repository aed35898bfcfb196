// What the operator of a witness accepted: statements by which a service closed its log after a loss. The command writes a file for
// each digest, and the witness only reads them, so both can run at the same time. A crash leaves an acceptance whole or absent.
import { access, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readClosings } from '@countersign/auditor/log/closings';
import { parseOrNull, readIfPresent } from '@countersign/auditor/state-file';
import { closedOrigin, parseClosing, type ReadClosing } from '@countersign/proof-kit';
import { printable } from '@countersign/proof-kit/printable';
import { KEY_FILE, writeWhole } from './files.ts';

const ACCEPTED = 'accepted';
/** The statements that the witness has read, each in a file named by its digest. */
const CLOSINGS = 'closings';
const DIGEST = /^[0-9a-f]{64}$/;

export const isDigest = (text: string | undefined): text is string => DIGEST.test(text ?? '');

export async function acceptedDigests(folder: string): Promise<string[]> {
  const names = await readdir(join(folder, ACCEPTED)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter(isDigest);
}

export async function readKnownClosing(folder: string, digest: string): Promise<ReadClosing | null> {
  const text = await readIfPresent(join(folder, CLOSINGS, `${digest}.json`));
  return text === null ? null : parseClosing(parseOrNull(text));
}

export async function keepClosing(folder: string, { digest, published }: ReadClosing): Promise<void> {
  if (await readKnownClosing(folder, digest)) return;
  const closings = join(folder, CLOSINGS);
  await mkdir(closings, { recursive: true });
  await writeWhole(
    closings,
    join(closings, `${digest}.json`),
    `${JSON.stringify(published, null, 1)}\n`,
    0o644,
  );
}

/**
 * Durable once this resolves. Reads the statement from a service if its address is given. Returns what the operator accepted, as far
 * as that is known.
 */
export async function acceptLoss(folder: string, digest: string, url: string | null = null): Promise<string> {
  await access(join(folder, KEY_FILE)).catch(() => {
    throw new Error(`${folder} is not the folder of a witness`);
  });
  if (url !== null) {
    const published = (await readClosings(url)).find((each) => each.digest === digest);
    if (!published) throw new Error(`${url} publishes no statement with this digest`);
    await keepClosing(folder, published);
  }
  const accepted = join(folder, ACCEPTED);
  await mkdir(accepted, { recursive: true });
  await writeWhole(accepted, join(accepted, digest), `${new Date().toISOString()}\n`, 0o644);
  const closing = await readKnownClosing(folder, digest);
  if (closing === null) return `accepted ${digest}; the witness has not read this statement yet\n`;
  const lost = closing.chains.map(
    ({ origin, signed, present }) => `  ${origin}: ${signed} records were signed, ${present} are left\n`,
  );
  return `accepted: ${closedOrigin(closing)} ends at ${closing.size} entries on ${closing.at}: ${printable(closing.reason)}\n${lost.join('')}`;
}
