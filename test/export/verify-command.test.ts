import { spawn } from 'node:child_process';
import { chmod, copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { printReports } from '@countersign/auditor/verify/report';
import { formatVerifierKey } from '@countersign/proof-kit';
import { verifyProof } from '@countersign/proof-kit/verify-proof';
import { describe, expect, onTestFinished, test } from 'vitest';
import { verifyDatabase } from '../../src/commands/verify/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/db/embedded/index.ts';
import { migrate } from '../../src/db/migrate.ts';
import { recordDpu } from '../../src/domain/dpus/append-dpu.ts';
import { makeCheckpoint } from '../../src/domain/ledger/signing/checkpoints.ts';
import { appendRecords, cutTail, makeChain, numbered, rewriteFrom, tamper } from '../checkpoints/chains.ts';
import { testApp } from '../helpers/app.ts';
import { bareEnvironment } from '../helpers/process.ts';
import { makeStage } from '../helpers/world.ts';
import { proofStage } from '../proof/stage.ts';
import { signerFromSeed } from '../vectors/signer.ts';
import { asSystem, sealDecision } from './world.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const serviceKey = formatVerifierKey(signerFromSeed(7).keyNamed('proof.example'));

/** The real command, as `npm run verify` starts it. */
async function verify(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['src/commands/verify.ts', ...args], {
    cwd: root,
    env: bareEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return { out, err, code };
}

const ofEmbedded = ({ url, ownerUrl, adminUrl }: EmbeddedPostgres, dataDir: string) => ({
  url,
  ownerUrl,
  adminUrl,
  dataDir,
  checkpointFile: join(dataDir, 'checkpoints.log'),
  mailFolder: join(dataDir, 'mail'),
  drop: async () => {},
});

test('an export of a running server is proven with the keys that it publishes', async () => {
  const { app, call, url } = await testApp();
  const { center, token } = await makeStage(app);
  const { dpuId } = await sealDecision(app, center.id);
  const folder = await mkdtemp(join(tmpdir(), 'export-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'export.json');
  await writeFile(file, (await call('GET', `/dpu/${dpuId}/export`, { token })).text);
  const [good, byFile, byOther] = await Promise.all([
    verify([file, '--keys-from', url]),
    verify([file, '--keys-from', `${url}/.well-known/countersign-keys.json`]),
    verify([file, '--key', serviceKey]),
  ]);
  expect(good.out).toMatch(
    /export\.json: proven: sealed at .*; signed by \S+; outcome: none shown; named .*\n$/,
  );
  expect([good.code, byFile.code, byOther.code]).toEqual([0, 0, 1]);
});

test('the condition of a mandate is evaluated if it is disclosed', async () => {
  const running = await testApp();
  const stage = await proofStage(running);
  const agent = { id: 'refunder' };
  const validUntil = new Date(Date.now() + 86_400_000).toISOString();
  const terms = {
    agent,
    actionPattern: 'refund.*',
    condition: 'input.amount < 20',
    validUntil,
    reason: 'Small',
  };
  const { body: requested } = await stage.post('/mandates', terms);
  await stage.approveInPerson(requested.data.eventId);
  const action = { type: 'refund.grant', description: 'A refund', input: { amount: 10 } };
  const { body } = await stage.post('/agents/decide', { agent, action, riskScore: 0.95 });
  const proof = (await stage.get(`/decision-events/${body.data.eventId}/export`)).body;
  const folder = await mkdtemp(join(tmpdir(), 'export-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'use.json');
  await writeFile(file, JSON.stringify(proof));
  const keys = ['--keys-from', running.url];
  const verdict = await verify([file, ...keys]);
  expect(verdict.out).not.toContain('cannot check');
  expect(verdict).toMatchObject({ code: 0, err: '' });
  // The condition is evaluated, not only trusted: a verifier for which it is false refutes the same document.
  const trust = { evaluateCondition: () => false };
  expect(await verifyProof(JSON.stringify(proof), trust)).toMatchObject({
    verdict: 'refuted',
    reason: expect.stringContaining('condition'),
  });
});

describe('npm run verify -- --chain', () => {
  const stage = async () => {
    const running = await testApp();
    const { chainId } = await makeChain(running.app, 30, 'journal');
    await makeCheckpoint(running.app, chainId);
    await appendRecords(running.app, chainId, numbered(30, 2_300));
    await makeCheckpoint(running.app, chainId);
    const { url, adminUrl, checkpointFile, dataDir } = running.database;
    const run = (...more: string[]) =>
      verify(['--chain', '--database', url, '--checkpoints', checkpointFile, ...more], { DATA_DIR: dataDir });
    /** The same without a separate process. */
    const find = () => verifyDatabase({ kind: 'database', url, checkpointFile, dataDir }, undefined);
    return { ...running, chainId, run, find, adminUrl };
  };

  test('recomputes every chain of a database', async () => {
    const { run, app } = await stage();
    const { code, out } = await run();
    expect(out).toContain('2330 records were read');
    expect(out).toContain('It agrees with its checkpoints');
    expect(code).toBe(0);
    await makeChain(app, 2, 'journal');
    expect((await run()).out).toContain('All 4 hold.');
  });

  test.each([
    [
      'an altered record',
      async (url: string, id: number) =>
        tamper(url, [
          'UPDATE ledger_record SET content = $2 WHERE chain_id = $1 AND index = 2200',
          [id, 'x'],
        ]),
    ],
    [
      'a missing record',
      async (url: string, id: number) =>
        tamper(url, ['DELETE FROM ledger_record WHERE chain_id = $1 AND index = 5', [id]]),
    ],
    ['a cut tail', (url: string, id: number) => cutTail(url, id, 2_000)],
    ['a rewritten history', (url: string, id: number) => rewriteFrom(url, id, 12)],
    [
      'a history rewritten together with its checkpoints',
      async (url: string, id: number) => {
        await rewriteFrom(url, id, 12);
        await tamper(url, ['DELETE FROM checkpoint'], ['DELETE FROM ledger_node']);
      },
    ],
    [
      'a forged checkpoint',
      async (url: string) => tamper(url, [`UPDATE checkpoint SET note = replace(note, '2330', '2331')`]),
    ],
    [
      'a missing chain',
      async (url: string, id: number) =>
        tamper(
          url,
          ['DELETE FROM ledger_chain WHERE id = $1', [id]],
          ['DELETE FROM ledger_record'],
          ['DELETE FROM checkpoint'],
        ),
    ],
  ])('detects %s', async (_, damage) => {
    const { find, adminUrl, chainId } = await stage();
    await damage(adminUrl, chainId);
    const broken = (await find()).filter(({ ok }) => !ok);
    expect(broken.length).toBeGreaterThan(0);
    expect(broken[0]!.brokenAt).not.toBeNull();
    expect(printReports(broken, false)).toContain('FAIL');
  });

  test('uses the keys outside the database, or those given with --key', async () => {
    const { run, adminUrl, chainId, database, fetch } = await stage();
    const key = (await (await fetch('/.well-known/countersign-keys.txt')).text()).trim();
    await rewriteFrom(adminUrl, chainId, 12);
    await tamper(
      adminUrl,
      ['DELETE FROM checkpoint'],
      ['DELETE FROM ledger_node'],
      ['DELETE FROM signing_key'],
    );
    const rewritten = { code: 1, out: expect.stringContaining('rewritten') };
    expect(await Promise.all([run(), run('--key', key)])).toMatchObject([rewritten, rewritten]);
    // Another key in place of the history: no signature is by a known key.
    const other = await testApp();
    await other.fetch('/.well-known/countersign-keys.txt');
    await copyFile(
      join(other.database.dataDir, 'signing-keys.log'),
      join(database.dataDir, 'signing-keys.log'),
    );
    expect(await run()).toMatchObject({ code: 1, out: expect.stringContaining('part at line 1') });
  });

  test('queries a running server, and verifies its signatures locally', async () => {
    const { app, url, database } = await testApp();
    const { center, token } = await makeStage(app);
    const ctx = asSystem(app, center.id);
    for (const content of numbered(0, 3)) {
      const { chainId } = await recordDpu(ctx, { content });
      await makeCheckpoint(app, chainId);
    }
    const [good, byVariable, byOtherKey, byNobody] = await Promise.all([
      verify(['--chain', '--url', url, '--token', token]),
      verify(['--chain', '--url', url], { COUNTERSIGN_TOKEN: token }),
      verify(['--chain', '--url', url, '--token', token, '--key', serviceKey]),
      verify(['--chain', '--url', url, '--token', 'wrong']),
    ]);
    expect(good.out).toContain('Each holds everything that the one before it covers.');
    expect([good.code, byVariable.code, byOtherKey.code]).toEqual([0, 0, 1]);
    expect(byNobody).toMatchObject({ code: 2, out: '' });
    await tamper(database.adminUrl, [`UPDATE ledger_record SET content = 'x' WHERE index = 1`]);
    expect((await verify(['--chain', '--url', url, '--token', token])).out).toContain('broken at record 1');
  });

  test('finds the embedded database in DATA_DIR only while it runs', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'verify-embedded-'));
    onTestFinished(() => rm(dataDir, { recursive: true }));
    await chmod(dataDir, 0o755);
    const server = await startEmbeddedPostgres({ dataDir, initdbOptions: ['--no-sync'] });
    try {
      await migrate(server.ownerUrl);
      expect(await verify(['--chain'], { DATA_DIR: dataDir })).toMatchObject({
        code: 0,
        out: expect.stringContaining('service / journal'),
      });
      const { app } = await testApp({ database: ofEmbedded(server, dataDir) });
      const { chainId } = await makeChain(app, 4, 'journal');
      await makeCheckpoint(app, chainId);
      const { out, code } = await verify(['--chain'], { DATA_DIR: dataDir });
      expect(out).toContain('It agrees with its checkpoints');
      expect(code).toBe(0);
      await app.close();
    } finally {
      await server.stop();
    }
    expect((await verify(['--chain'], { DATA_DIR: dataDir })).err).toContain('No database');
  });

  test('reports a missing database with exit code 2', async () => {
    const { code, err } = await verify(['--chain'], { DATA_DIR: join(tmpdir(), 'nothing-here') });
    expect(err).toContain('No database');
    expect(code).toBe(2);
  });
});
