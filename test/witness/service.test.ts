import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { exitCodeOf, verifyFiles } from '@countersign/auditor/verify/files';
import { publishedBy } from '@countersign/auditor/verify/keys';
import { parseCheckpoint, parseWitnessKey, verifyCosignature } from '@countersign/proof-kit';
import { expect, test } from 'vitest';
import { signDueChains } from '../../src/domain/ledger/signing/round.ts';
import { submitToWitnesses } from '../../src/domain/ledger/witnesses/submit.ts';
import { sealDecision } from '../export/world.ts';
import { testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { freePort } from '../helpers/free-port.ts';
import { makeStage } from '../helpers/world.ts';
import { witnessHere } from './in-process.ts';
import { folder, startWitness } from './programs.ts';

const PUBLIC_URL = 'https://proof.example';

/** The real commands, as `npm run` starts them. */
async function run(name: 'verify' | 'monitor', args: string[]) {
  const script = fileURLToPath(new URL(`../../src/commands/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return { out, err, code };
}

test('a decision is proven with a quorum of witnesses; the service continues without one, which catches up', async () => {
  // The first start creates the key that witnesses are given.
  const port = await freePort();
  const first = await testApp({ env: { PUBLIC_URL }, port });
  const vkey = (await (await first.fetch('/.well-known/countersign-keys.txt')).text()).trim();
  await first.close();
  const state = await folder();
  const log = `${vkey} ${first.url}`;
  const program = await startWitness(state, [log], await freePort());
  const friend = await witnessHere([vkey], 'friend.example');
  const WITNESSES = `${program.vkey} ${program.url},${friend.pair}`;
  const { app, url, fetch, call } = await testApp({
    database: first.database,
    env: { PUBLIC_URL, WITNESSES },
    port,
  });
  const { center, token } = await makeStage(app);
  const witnesses = [parseWitnessKey(program.vkey), friend];
  const checks = async () =>
    ((await (await fetch('/readyz')).json()) as { checks: Record<string, string> }).checks;
  const up = async () => {
    const metrics = await (await fetch('/metrics')).text();
    return witnesses.map(({ name }) =>
      Number(
        metrics
          .split('\n')
          .find((line) => line.startsWith(`countersign_witness_up{witness="${name}"}`))
          ?.at(-1),
      ),
    );
  };
  /** Once the witnesses have answered: a round of signing waits for them only briefly. */
  const submitted = async () => {
    await submitToWitnesses(app);
    return checks();
  };
  const exported = async (dpuId: string) => {
    const file = join(state, `${dpuId}.json`);
    await writeFile(file, (await call('GET', `/dpu/${dpuId}/export`, { token })).text);
    return file;
  };
  const judge = async (file: string, quorum: number) => {
    const verdicts = await verifyFiles(
      [file],
      { keys: await publishedBy(url), witnesses, quorum },
      { folder: '/' },
    );
    return { code: exitCodeOf(verdicts), verdict: `${verdicts[0]!.verdict}: ${verdicts[0]!.reason}` };
  };

  const one = await sealDecision(app, center.id, 1);
  await signDueChains(app);
  await expect.poll(submitted).toMatchObject({ signing: 'ok', witnesses: 'ok' });
  expect(await up()).toEqual([1, 1]);
  const published = parseCheckpoint(await (await fetch('/log/checkpoint')).text());
  for (const witness of witnesses)
    expect((await verifyCosignature(published.note, witness)).status).toBe('valid');
  const named = ['--keys-from', url, '--witness', program.vkey, '--witness', friend.vkey, '--quorum', '2'];
  const oldFile = await exported(one.dpuId);
  const proven = await run('verify', [oldFile, ...named]);
  expect(proven).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/: proven: /) });
  const watched = await run('monitor', ['--url', url, '--state', join(state, 'monitor.json')]);
  expect(watched).toMatchObject({ code: 0, err: '', out: expect.stringContaining('all as signed') });

  await program.kill();
  const two = await sealDecision(app, center.id, 1);
  expect((await signDueChains(app)).made).toBeGreaterThan(0);
  await expect.poll(submitted).toMatchObject({ signing: 'ok', witnesses: '1 of 2 cosign' });
  await expect.poll(async () => (await fetch('/readyz')).status).toBe(200);
  expect(await up()).toEqual([0, 1]);
  const newFile = await exported(two.dpuId);
  expect(await judge(newFile, 2)).toMatchObject({
    code: 3,
    verdict: expect.stringMatching(/^partial: .*quorum/),
  });
  expect(await judge(newFile, 1)).toMatchObject({ code: 0, verdict: expect.stringMatching(/^proven/) });
  // What was cosigned before still is, in new documents.
  expect(await judge(await exported(one.dpuId), 2)).toMatchObject({ code: 0 });

  await startWitness(state, [log], program.port);
  await eventually(async () => (await submitted())['witnesses'] === 'ok');
  expect(await up()).toEqual([1, 1]);
  expect(await judge(await exported(two.dpuId), 2)).toMatchObject({
    code: 0,
    verdict: expect.stringMatching(/^proven/),
  });
}, 180_000);
