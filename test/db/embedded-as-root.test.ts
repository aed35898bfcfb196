import { chmodSync, chownSync, cpSync, lstatSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../../src/db/embedded/index.ts';
import { binariesIn, chooseLayout, findBinaries, runsAs } from '../../src/db/embedded/layout.ts';
import { runAs } from '../helpers/server.ts';
import { startOwner } from './fixtures/owner.ts';

const nobody = { uid: 65534, gid: 65534 };
const isRoot = process.getuid?.() === 0;

describe.runIf(isRoot)('started by root', () => {
  /** Closed to others, like the home of root. */
  let closed: string;
  let open: string;
  let systemFolders: { clusters: string; binaries: string };

  beforeEach(() => {
    closed = mkdtempSync(join(tmpdir(), 'countersign-closed-'));
    open = mkdtempSync(join(tmpdir(), 'countersign-open-'));
    chmodSync(open, 0o755);
    systemFolders = { clusters: join(open, 'lib'), binaries: join(open, 'cache') };
  });

  afterEach(() => {
    for (const folder of [closed, open]) rmSync(folder, { recursive: true });
  });

  const start = (dataDir: string) =>
    startEmbeddedPostgres({ dataDir, systemFolders, initdbOptions: ['--no-sync'] });

  test('a data directory that others cannot enter is placed elsewhere and found through a symlink', async () => {
    const dataDir = join(closed, 'data');
    const first = await start(dataDir);
    await runAs(first.ownerUrl, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    expect(lstatSync(join(dataDir, 'postgres')).isSymbolicLink()).toBe(true);
    expect(first.cluster.startsWith(systemFolders.clusters)).toBe(true);

    const second = await start(dataDir);
    const kept = await runAs(second.ownerUrl, 'SELECT answer FROM kept').finally(() => second.stop());
    expect(kept.rows).toEqual([{ answer: 42 }]);

    rmSync(systemFolders.clusters, { recursive: true });
    await expect(start(dataDir)).rejects.toThrow(/which is gone: bring it back, or remove the link/);
  });

  test('a data directory that others can enter stays in place, owned by a non-root user', async () => {
    const dataDir = join(open, 'data');
    const server = await start(dataDir);
    await server.stop();
    expect(lstatSync(join(dataDir, 'postgres')).isDirectory()).toBe(true);
    expect(statSync(join(dataDir, 'postgres')).uid).not.toBe(0);
  });

  test('binaries that others cannot read are copied once to a readable folder', () => {
    const installed = findBinaries();
    const hidden = binariesIn(join(closed, 'native'), installed.version);
    cpSync(installed.root, hidden.root, { recursive: true, verbatimSymlinks: true });

    const layout = chooseLayout(join(closed, 'data'), hidden, systemFolders);

    expect(layout.binaries.root).toBe(join(systemFolders.binaries, `postgres-${installed.version}`));
    expect(runsAs(nobody, layout.binaries.initdb, ['--version'])).toBe(true);
    const copied = statSync(layout.binaries.postgres).ino;
    chooseLayout(join(closed, 'other'), hidden, systemFolders);
    expect(statSync(layout.binaries.postgres).ino).toBe(copied);
  });

  // As root this needs a Node that others may run; run by an ordinary user, every other test shows the same.
  test.runIf(isRoot && runsAs(nobody, process.execPath, ['--version']))(
    'a data directory created by an ordinary user is run as that user',
    async () => {
      const dataDir = join(open, 'data');
      mkdirSync(dataDir);
      chownSync(dataDir, nobody.uid, nobody.gid);
      const owner = await startOwner(dataDir, nobody);
      expect(lstatSync(join(dataDir, 'postgres')).isDirectory()).toBe(true);
      expect(statSync(`/proc/${owner.postgres}`).uid).toBe(nobody.uid);
      await runAs(owner.ownerUrl, 'CREATE TABLE kept AS SELECT 42 AS answer');
      process.kill(owner.pid, 'SIGTERM');
      await owner.exited;

      const server = await start(dataDir);
      const kept = await runAs(server.ownerUrl, 'SELECT answer FROM kept').finally(() => server.stop());
      expect(kept.rows).toEqual([{ answer: 42 }]);
    },
  );
});
