import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { identityOf } from '../../lib/pid-lock.mjs';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './index.ts';
import { throwawaySettings } from './settings.ts';

const prefix = 'countersign-throwaway-';

/** A server for a test run: fast rather than durable, and removed completely by stop(). */
export async function startThrowawayPostgres(): Promise<EmbeddedPostgres> {
  removeLeftovers();
  const dataDir = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o711);
  const remove = (folder: string) => rmSync(folder, { recursive: true, force: true });
  try {
    const server = await startEmbeddedPostgres({
      dataDir,
      settings: throwawaySettings,
      initdbOptions: ['--no-sync'],
    });
    const stop = async () => {
      await server.stop();
      // Usually inside dataDir, unless PostgreSQL cannot access that folder.
      remove(dirname(server.cluster));
      remove(dataDir);
    };
    return { ...server, stop };
  } catch (error) {
    remove(dataDir);
    throw error;
  }
}

/** Remove what killed runs left behind. */
function removeLeftovers() {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(prefix))) {
    const folder = join(tmpdir(), name);
    const maker = Number(name.slice(prefix.length).split('-')[0]);
    if (identityOf(maker)) continue;
    rmSync(folder, { recursive: true, force: true });
  }
}
