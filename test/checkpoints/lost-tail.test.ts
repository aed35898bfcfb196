import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkOnce } from '@countersign/auditor/monitor/check-once';
import { readOptions } from '@countersign/auditor/monitor/options';
import { verifyFiles } from '@countersign/auditor/verify/files';
import { publishedBy } from '@countersign/auditor/verify/keys';
import { parseCheckpoint, parseClosing, parseVerifierKey, verifyProof } from '@countersign/proof-kit';
import { expect, test } from 'vitest';
import { execute, parseCommand } from '../../src/commands/recover/command.ts';
import { acceptLoss as acceptOnWitness } from '../../src/commands/witness/acceptances.ts';
import { exportDocument } from '../../src/domain/decisions/prove/export/export.ts';
import { openKeyring } from '../../src/domain/ledger/keys/change.ts';
import { signText } from '../../src/domain/ledger/keys/ring.ts';
import { signDueChains } from '../../src/domain/ledger/signing/round.ts';
import { walkHeadLog } from '../../src/domain/ledger/verify/head-log.ts';
import { sourceOf } from '../../src/domain/ledger/verify/source.ts';
import { submitToWitnesses, witnessReports } from '../../src/domain/ledger/witnesses/submit.ts';
import { asSystem, sealDecision } from '../export/world.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import { copyDatabase } from '../helpers/database.ts';
import { freePort } from '../helpers/free-port.ts';
import { makeStage } from '../helpers/world.ts';
import { decision } from '../proof/decisions.ts';
import { witnessHere } from '../witness/in-process.ts';
import { folder } from '../witness/programs.ts';
import { cutTail, tamper } from './chains.ts';

const PUBLIC_URL = 'https://proof.example';
const approval = { approver: { id: 'boss', type: 'human', name: 'The boss' }, result: 'approved' };
const agentCall = { agent: { id: 'agent-1' }, action: { type: 'note.write', description: 'Write a note' } };

const recover = (app: TestApp['app'], ...args: string[]) => {
  const command = parseCommand(args);
  if (command === 'help') throw new Error('no command');
  return execute(app, command);
};

const readiness = async ({ fetch }: TestApp) => (await fetch('/readyz')).json();

/** A service whose database lost its last sealed and signed records, as after a failover to a lagging standby. */
async function lostTail(env: Record<string, string> = {}, port?: number) {
  const settings = { env: { PUBLIC_URL, ...env }, ...(port !== undefined && { port }) };
  const first = await testApp(settings);
  const { center, token, key } = await makeStage(first.app);
  const kept = await sealDecision(first.app, center.id, 1);
  await signDueChains(first.app);
  await submitToWitnesses(first.app);
  await first.close();
  const standby = await copyDatabase(first.database);
  const primary = await testApp({ ...settings, database: first.database });
  const lost = await sealDecision(primary.app, center.id, 1);
  await signDueChains(primary.app);
  await submitToWitnesses(primary.app);
  const exports = await Promise.all(
    [kept, lost].map(
      async ({ dpuId }) => (await primary.call('GET', `/dpu/${dpuId}/export`, { token })).text,
    ),
  );
  const head = await (await primary.fetch('/log/checkpoint')).text();
  return { primary, standby, center, token, key, settings, exports, head };
}

/** One test for the whole story, because each step needs the previous one. */
test('a lost tail stops signing and sealing in every process until it is accepted; then the next log follows', async () => {
  const port = await freePort();
  const { primary, standby, center, token, key, settings, exports, head } = await lostTail({}, port);
  const state = join(await folder(), 'monitor.json');
  const monitor = (...more: string[]) =>
    checkOnce(
      readOptions(['--url', primary.url, '--state', state, ...more], {}) as Exclude<
        ReturnType<typeof readOptions>,
        'help'
      >,
    );
  expect((await monitor()).code).toBe(0);
  await primary.close();

  // One process has the file with the evidence, the other has none.
  const knowing = await testApp({ ...settings, database: standby });
  const other = await testApp({
    database: {
      ...standby,
      dataDir: await folder(),
      checkpointFile: join(await folder(), 'checkpoints.log'),
    },
    env: { PUBLIC_URL },
  });
  await expect(signDueChains(knowing.app)).rejects.toMatchObject({ name: 'SigningRefused' });
  await expect(signDueChains(other.app)).rejects.toMatchObject({ name: 'SigningRefused' });
  for (const running of [knowing, other]) {
    const post = (path: string, body: unknown) => running.call('POST', `/v1${path}`, { token: key, body });
    const event = (await post('/decision-events', decision)).body.data;
    const refused = await post(`/decision-events/${event.eventId}/approvals`, approval);
    expect(refused.status).toBe(503);
    expect(refused.body.error).toMatchObject({ details: { reason: 'history_lost' } });
    const decided = await post('/agents/decide', agentCall);
    expect(decided.status).toBeLessThan(300);
    const demo = await running.call('POST', '/dpu/demo', { token, body: {} });
    expect(demo.status).toBe(503);
    await expect
      .poll(() => readiness(running))
      .toMatchObject({ checks: { signing: 'refused', history: 'lost' } });
    expect(await (await running.fetch('/metrics')).text()).toContain('\ncountersign_history_lost 1\n');
    expect((await running.call('GET', '/dpu/verify-chain', { token })).body.data.valid).toBe(false);
  }

  const inspected = await recover(other.app, 'inspect');
  expect(inspected.code).toBe(1);
  expect(inspected.text).toContain('proof.example/log  signed');
  expect((await recover(knowing.app, 'inspect')).text).toMatch(
    new RegExp(`proof\\.example/chains/${center.id}/proof {2}signed 2 {2}present 1 {2}LOST`),
  );
  const accepted = await recover(knowing.app, 'accept-loss', '--reason', 'The primary burned down.');
  expect(accepted.text).toContain('proof.example/log/2 follows proof.example/log');
  expect((await recover(knowing.app, 'inspect')).code).toBe(0);

  for (const running of [knowing, other]) {
    await signDueChains(running.app);
    await sealDecision(running.app, center.id, 1);
    const { data } = (await running.call('GET', '/dpu/verify-chain', { token })).body;
    expect(data).toMatchObject({ valid: true, differences: [] });
    expect(data.losses).toContainEqual(
      expect.objectContaining({
        chain: `proof.example/chains/${center.id}/proof`,
        signedSize: 2,
        presentSize: 1,
        reason: 'The primary burned down.',
      }),
    );
    expect(await walkHeadLog(sourceOf(running.app))).toMatchObject({ fault: null });
  }
  await signDueChains(knowing.app);
  await signDueChains(other.app);

  const current = parseCheckpoint(await (await knowing.fetch('/log/checkpoint')).text());
  expect(current.origin).toBe('proof.example/log/2');
  expect(await (await knowing.fetch('/log/1/checkpoint')).text()).toBe(head);
  expect((await knowing.fetch(`/log/1/tile/0/000.p/${parseCheckpoint(head).size}`)).status).toBe(200);
  expect((await knowing.fetch('/log/2/checkpoint')).status).toBe(404);
  const { logs, closings } = (await (await knowing.fetch('/.well-known/countersign-keys.json')).json()) as {
    logs: { origin: string; path: string; follows: { head: string } | null }[];
    closings: string;
  };
  expect(logs.map(({ origin, path }) => [origin, path])).toEqual([
    ['proof.example/log', '/log/1'],
    ['proof.example/log/2', '/log'],
  ]);
  expect(logs[1]!.follows).toMatchObject({ origin: 'proof.example/log', head });
  expect(closings).toBe('https://proof.example/log/closings');
  const published = await (await knowing.fetch('/log/closings')).json();
  const closing = parseClosing(published[0])!;
  const lastHead = parseCheckpoint(head);
  expect(closing).toMatchObject({
    log: 1,
    next: 2,
    size: lastHead.size,
    reason: 'The primary burned down.',
    chains: expect.arrayContaining([
      { origin: `proof.example/chains/${center.id}/proof`, signed: 2, present: 1 },
    ]),
  });
  expect(closing.root).toEqual(lastHead.root);
  expect(accepted.text).toContain(`The digest of the statement is ${closing.digest}.`);

  // What was proven stays proven, including the lost decision, and so is what came later.
  const trust = { keys: await publishedBy(knowing.url), witnesses: [], quorum: 0 };
  const after = await sealDecision(knowing.app, center.id, 1);
  const texts = [...exports, (await knowing.call('GET', `/dpu/${after.dpuId}/export`, { token })).text];
  for (const [i, text] of texts.entries()) {
    const file = join(await folder(), `${i}.json`);
    await writeFile(file, text);
    const [verdict] = await verifyFiles([file], trust, { folder: '/' });
    expect(verdict).toMatchObject({ verdict: 'proven' });
    if (i === 2)
      expect(verdict!.reason).toContain(`; in log 2, after a declared loss at ${closing.at}; signed by `);
  }
  const files = await folder();
  await writeFile(join(files, 'lost'), texts[1]!);
  await writeFile(join(files, 'after'), texts[2]!);
  const compared = await verifyFiles(['lost', 'after'], trust, { folder: files });
  expect(compared.map(({ verdict }) => verdict)).toEqual(['refuted', 'proven']);

  const line = new RegExp(
    `^CLOSED: proof\\.example/log on .*: The primary burned down\\., digest ${closing.digest}\n`,
  );
  for (let run = 0; run < 2; run++)
    expect(await monitor()).toMatchObject({ code: 1, text: expect.stringMatching(line) });
  const seen = await monitor('--accept-loss', closing.digest);
  expect(seen).toMatchObject({ code: 0, found: { ok: true, origin: 'proof.example/log/2' } });
  expect(seen.text).toMatch(line);
  expect(await monitor()).toMatchObject({ code: 0, text: expect.stringMatching(line) });
}, 60_000);

test('a process that dies after it accepted a loss leaves nothing to repeat', async () => {
  const { primary, standby, center, token, settings, head } = await lostTail();
  await primary.close();
  const running = await testApp({ ...settings, database: standby });
  const { app, call, fetch } = running;
  const { checkpointFile } = app;
  const { append } = checkpointFile;
  checkpointFile.append = () => Promise.reject(new Error('killed'));
  await expect(recover(app, 'accept-loss', '--reason', 'The primary burned down.')).rejects.toThrow('killed');
  checkpointFile.append = append;

  expect(await recover(app, 'inspect')).toMatchObject({ code: 0 });
  await signDueChains(app);
  expect(checkpointFile.statements()).toHaveLength(1);
  expect(await (await fetch('/log/closings')).json()).toHaveLength(1);
  // The restored entries of the closed log.
  expect(await (await fetch('/log/1/checkpoint')).text()).toBe(head);
  expect((await fetch(`/log/1/tile/0/000.p/${parseCheckpoint(head).size}`)).status).toBe(200);
  await sealDecision(app, center.id, 1);
  const { data } = (await call('GET', '/dpu/verify-chain', { token })).body;
  expect(data).toMatchObject({ valid: true, differences: [] });
  expect(data.losses).toContainEqual(expect.objectContaining({ signedSize: 2, presentSize: 1 }));
}, 60_000);

test('a loss statement without a valid signature of the service does not close a log', async () => {
  const { app, superuser } = await testApp({ env: { PUBLIC_URL } });
  await signDueChains(app);
  const body = {
    at: new Date().toISOString(),
    closed: { origin: 'proof.example/log', signedSize: 1, presentSize: 0, head: null },
    successor: 'proof.example/log/2',
    chains: [],
    reason: 'Because I can.',
  };
  const statement = `proof.example/losses\n${JSON.stringify(body)}\n\n\u2014 proof.example ${Buffer.alloc(68).toString('base64')}\n`;
  await superuser.query('INSERT INTO closed_log (number, statement) VALUES (1, $1)', [statement]);
  await expect(signDueChains(app)).rejects.toMatchObject({ name: 'SigningRefused' });
});

test('a statement of an earlier release still closes the log for the service, and is not published', async () => {
  const { app, superuser, fetch } = await testApp({ env: { PUBLIC_URL } });
  const { head } = await signDueChains(app);
  const body = {
    at: new Date().toISOString(),
    closed: { origin: 'proof.example/log', signedSize: head.size, presentSize: head.size, head: head.note },
    successor: 'proof.example/log/2',
    chains: [],
    reason: 'A disk failed.',
  };
  const ring = await openKeyring(app, 'proof.example');
  const statement = await signText(
    `proof.example/losses\n${JSON.stringify(body)}\n`,
    ring.signersFor('proof.example'),
  );
  await superuser.query('INSERT INTO closed_log (number, statement) VALUES (1, $1)', [statement]);
  const { center } = await makeStage(app);
  const { dpuId } = await sealDecision(app, center.id, 1);
  await signDueChains(app);
  expect(await (await fetch('/log/checkpoint')).text()).toMatch(/^proof\.example\/log\/2\n/);
  expect(await walkHeadLog(sourceOf(app))).toMatchObject({ fault: null });
  expect(await (await fetch('/log/closings')).json()).toEqual([]);
  const proof = JSON.stringify(await exportDocument(asSystem(app, center.id), dpuId));
  const keys = ring.keys.map(({ vkey }) => parseVerifierKey(vkey));
  expect(await verifyProof(proof, { keys })).toMatchObject({
    verdict: 'partial',
    reason: 'missing: head.closings; outcome: none shown',
  });
});

test('records missing below a checkpoint stop sealing until they are restored from a backup', async () => {
  const settings = { env: { PUBLIC_URL } };
  const one = await testApp(settings);
  const { center } = await makeStage(one.app);
  for (let n = 0; n < 2; n++) await sealDecision(one.app, center.id, 1);
  await signDueChains(one.app);
  const { adminUrl } = one.database;
  const { id } = await one.app.db.acrossTenants.ledgerChain.findFirstOrThrow({
    where: { centerId: center.id, domain: 'proof' },
  });
  await one.superuser.query('CREATE TABLE backup AS SELECT * FROM ledger_record WHERE chain_id = $1', [id]);
  await cutTail(adminUrl, id, 1);

  await expect(signDueChains(one.app)).rejects.toMatchObject({ name: 'SigningRefused' });
  const dataDir = await folder();
  const database = { ...one.database, dataDir, checkpointFile: join(dataDir, 'checkpoints.log') };
  const other = await testApp({ ...settings, database });
  for (const running of [one, other]) {
    await expect(sealDecision(running.app, center.id, 1)).rejects.toMatchObject({
      details: { reason: 'history_lost' },
    });
    await expect.poll(() => readiness(running)).toMatchObject({ checks: { history: 'lost' } });
  }
  expect((await recover(other.app, 'inspect')).text).toMatch(/\/proof {2}signed 2 {2}present 1 {2}LOST/);
  await expect(recover(one.app, 'accept-loss', '--reason', 'None.')).rejects.toThrow(
    'Restore it from a backup',
  );

  await tamper(
    adminUrl,
    ['INSERT INTO ledger_record SELECT * FROM backup WHERE index > 0'],
    [
      'UPDATE ledger_chain SET size = 2, head_hash = (SELECT hash FROM backup WHERE index = 1) WHERE id = $1',
      [id],
    ],
  );
  await signDueChains(other.app);
  for (const running of [one, other]) await sealDecision(running.app, center.id, 1);
});

test('a witness with a newer head stops a service that also lost its checkpoint file', async () => {
  const port = await freePort();
  const first = await testApp({ env: { PUBLIC_URL }, port });
  const vkey = (await (await first.fetch('/.well-known/countersign-keys.txt')).text()).trim();
  await first.close();
  const witness = await witnessHere([`${vkey} ${first.url}`], 'friend.example', true);
  const env = { PUBLIC_URL, WITNESSES: witness.pair };
  const before = await testApp({ database: first.database, env, port });
  const { center } = await makeStage(before.app);
  await signDueChains(before.app);
  // A round of signing waits for the witnesses only briefly.
  await submitToWitnesses(before.app);
  await before.close();
  const standby = await copyDatabase(first.database);
  const primary = await testApp({ database: first.database, env, port });
  await sealDecision(primary.app, center.id, 1);
  await signDueChains(primary.app);
  await submitToWitnesses(primary.app);
  const { size } = parseCheckpoint(await (await primary.fetch('/log/checkpoint')).text());
  await primary.close();

  const checkpointFile = join(await folder(), 'checkpoints.log');
  const after = await testApp({ database: { ...standby, checkpointFile }, env, port });
  const signed = () =>
    signDueChains(after.app).then(
      () => 'signed',
      (error: Error) => error.name,
    );
  await expect.poll(signed).toBe('SigningRefused');
  expect((await recover(after.app, 'inspect')).text).toContain(`signed ${size} `);
  await expect(sealDecision(after.app, center.id, 1)).rejects.toMatchObject({
    details: { reason: 'history_lost' },
  });
  await recover(after.app, 'accept-loss', '--reason', 'Restored from last night.');
  // The head that only the witness knew is the one that the statement names.
  const [closing] = (await (await after.fetch('/log/closings')).json()).map(parseClosing);
  expect(closing.size).toBe(size);
  await signDueChains(after.app);
  await submitToWitnesses(after.app);
  expect(await (await after.fetch('/log/checkpoint')).text()).not.toContain('\u2014 friend.example ');
  const [report] = await witnessReports(after.app);
  expect(report!.error).toContain(`it answered 422: digest ${closing.digest}: not accepted here`);
  // A witness that waits for its operator does not stop the service.
  expect(await signed()).toBe('signed');
  await sealDecision(after.app, center.id, 1);
  await acceptOnWitness(witness.folder, closing.digest);
  await signDueChains(after.app);
  await expect
    .poll(async () => {
      await submitToWitnesses(after.app);
      return (await after.fetch('/log/checkpoint')).text();
    })
    .toContain('\u2014 friend.example ');
  const head = await (await after.fetch('/log/checkpoint')).text();
  expect(head).toContain('proof.example/log/2\n');
  expect(head).toContain('\u2014 friend.example ');
});
