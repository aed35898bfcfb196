import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readOptions } from '@countersign/auditor/verify/options';
import { runVerify } from '@countersign/auditor/verify/run';
import { formatVerifierKey, parseClosing } from '@countersign/proof-kit';
import { makeReceipts, parseReceipt } from '@countersign/proof-kit/receipt';
import { expect, test } from 'vitest';
import { openKeyring } from '../../src/domain/ledger/keys/change.ts';
import { signText } from '../../src/domain/ledger/keys/ring.ts';
import { receiptFor } from '../../src/domain/ledger/receipt.ts';
import { acceptLoss } from '../../src/domain/ledger/recovery/accept-loss.ts';
import { signDueChains } from '../../src/domain/ledger/signing/round.ts';
import { appendRecords, cutTail, makeChain, numbered, recordHashes } from '../checkpoints/chains.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import { copyDatabase } from '../helpers/database.ts';
import { signerFromSeed } from '../vectors/signer.ts';
import { folder } from '../witness/programs.ts';

const SERVICE = 'proof.example';
const EVENT = 'evt_01k9zq2m0000000000000000e1';

const settings = { env: { PUBLIC_URL: `https://${SERVICE}`, CHECKPOINT_SECONDS: '60' } };

async function stage() {
  const running = await testApp(settings);
  const { center, chainId } = await makeChain(running.app, 3);
  await signDueChains(running.app);
  return { ...running, ...(await receiptsOf(running, center.id, chainId)) };
}

/** The receipts of a chain and their verification. */
async function receiptsOf({ app, url }: TestApp, centerId: number, chainId: number) {
  const origin = `${SERVICE}/chains/${centerId}/platform`;
  const files = await folder();
  /** A receipt as the service signs it. */
  const receipt = async (index: number, hash: Buffer, secondsAgo = 0) => {
    const time = new Date(Date.now() - secondsAgo * 1_000).toISOString();
    const promise = { kind: 'recorded' as const, eventId: EVENT, origin, index, hash, time };
    const signers = (await openKeyring(app, SERVICE)).signersFor(origin);
    const [text] = await makeReceipts(SERVICE, [promise], (note) => signText(note, signers));
    return text!;
  };
  const verify = async (content: string, ...more: string[]) => {
    const file = join(files, 'receipt.txt');
    await writeFile(file, content);
    const options = readOptions(['--receipt', file, '--url', url, ...more], {});
    const { text, code } = await runVerify(options as Exclude<typeof options, 'help'>);
    return { line: text.replace(`${file}: `, '').trim(), code };
  };
  return { center: centerId, chainId, origin, receipt, verify, hashes: () => recordHashes(app, chainId) };
}

test('a receipt is kept if its record is in the signed log; text and JSON response are accepted', async () => {
  const { receipt, verify, hashes, origin } = await stage();
  const [, second] = await hashes();
  const note = await receipt(1, second!);
  const kept = { line: `kept: record 1 of ${origin} is in the log (recorded ${EVENT})`, code: 0 };
  expect(await verify(note)).toEqual(kept);
  expect(await verify(`${note}\n`)).toEqual(kept);
  expect(await verify(JSON.stringify({ data: { receipt: note } }))).toEqual(kept);
});

test('a receipt is pending until the next checkpoint is overdue, then broken', async () => {
  const { app, chainId, receipt, verify, hashes, origin } = await stage();
  await appendRecords(app, chainId, numbered(3, 1));
  const hash = (await hashes())[3]!;
  const missing = `the log has no signed record 3 of ${origin}`;
  expect(await verify(await receipt(3, hash, 100))).toEqual({ line: `pending: ${missing}`, code: 3 });
  expect(await verify(await receipt(3, hash, 121))).toEqual({ line: `broken: ${missing}`, code: 1 });
  await signDueChains(app);
  expect(await verify(await receipt(3, hash, 121))).toMatchObject({ code: 0 });
});

test('a receipt is broken if its record was removed before the next checkpoint', async () => {
  const { app, database, chainId, receipt, verify, hashes, origin } = await stage();
  await appendRecords(app, chainId, ['executed: paid 1,000,000']);
  const note = await receipt(3, (await hashes())[3]!, 121);
  await cutTail(database.adminUrl, chainId, 3);
  await appendRecords(app, chainId, ['failed: nothing moved']);
  await signDueChains(app);
  expect(await verify(note)).toEqual({
    line: `broken: the log has no signed record 3 of ${origin}`,
    code: 1,
  });
});

test('a receipt of another event than the named one is broken', async () => {
  const { receipt, verify, hashes } = await stage();
  const text = await receipt(1, (await hashes())[1]!);
  expect(await verify(text, '--event', EVENT)).toMatchObject({ code: 0 });
  expect(await verify(text, '--event', 'evt_other')).toEqual({
    line: `broken: it is about event ${EVENT}`,
    code: 1,
  });
});

test('a place that the service declared lost is lost; every log of the service counts for the others', async () => {
  const { close, database, center, chainId } = await stage();
  await close();
  const standby = await copyDatabase(database);
  const primary = await testApp({ ...settings, database });
  await appendRecords(primary.app, chainId, ['executed: paid 1,000,000']);
  await signDueChains(primary.app);
  const before = await receiptsOf(primary, center, chainId);
  const [first, , , last] = await before.hashes();
  const kept = await before.receipt(0, first!, 121);
  const lost = await before.receipt(3, last!);
  const neverSigned = await before.receipt(4, last!, 121);
  expect(await before.verify(lost)).toMatchObject({ code: 0 });
  await primary.close();

  const running = await testApp({ ...settings, database: standby });
  const { app } = running;
  const { verify, receipt, hashes } = await receiptsOf(running, center, chainId);
  expect(await verify(lost)).toMatchObject({ line: expect.stringMatching(/^pending: /), code: 3 });
  const { closing: published } = (await acceptLoss(app, 'The primary burned down.'))!;
  const closing = parseClosing(published)!;
  const declared = { line: `lost: declared at ${closing.at}`, code: 1 };
  expect(await verify(lost)).toEqual(declared);
  expect(await verify(neverSigned)).toMatchObject({ line: expect.stringMatching(/^broken: /), code: 1 });

  // The next log, in which the place is written again.
  await appendRecords(app, chainId, ['failed: nothing moved']);
  await signDueChains(app);
  expect(await (await running.fetch('/log/checkpoint')).text()).toMatch(/^proof\.example\/log\/2\n/);
  expect(await verify(lost)).toEqual(declared);
  expect(await verify(kept)).toMatchObject({ code: 0 });
  expect(await verify(await receipt(3, (await hashes())[3]!))).toMatchObject({ code: 0 });
  expect(await verify(await receipt(3, last!, -1))).toMatchObject({
    line: expect.stringMatching(/^pending: /),
  });
});

test('a service that moved to another address gives receipts under the name of the chain', async () => {
  const { close, database, center, chainId, app } = await stage();
  const request = (index: number, hash: Buffer, domain: 'platform' | 'audit' = 'platform') => ({
    kind: 'recorded' as const,
    eventId: EVENT,
    centerId: center,
    domain,
    index,
    hash: hash.toString('hex'),
    timestamp: new Date().toISOString(),
  });
  const [first] = await recordHashes(app, chainId);
  await close();
  const moved = await testApp({ database, env: { PUBLIC_URL: 'https://new.example' } });
  const { verify, origin } = await receiptsOf(moved, center, chainId);
  const [signed, unsigned] = await Promise.all([
    receiptFor(moved.app, request(0, first!)),
    receiptFor(moved.app, request(0, first!, 'audit')),
  ]);
  expect(parseReceipt(signed!)).toMatchObject({ service: SERVICE, origin });
  // A chain without a name yet gets it from the present address.
  expect(parseReceipt(unsigned!)).toMatchObject({ origin: `new.example/chains/${center}/audit` });
  expect(await verify(signed!)).toMatchObject({ line: expect.stringMatching(/^kept: /), code: 0 });
});

test('input that is not a receipt signed by a trusted key is unreadable', async () => {
  const { receipt, verify, hashes } = await stage();
  const text = await receipt(1, (await hashes())[1]!);
  const changed = { line: 'unreadable: its proof does not lead to the signed root', code: 2 };
  expect(await verify(text.replace('\n1\n', '\n2\n'))).toEqual(changed);
  expect(await verify(text.replace(EVENT, 'evt_other'), '--event', 'evt_other')).toEqual(changed);
  const otherKey = formatVerifierKey(signerFromSeed(2).keyNamed(SERVICE));
  expect(await verify(text, '--key', otherKey)).toEqual({
    line: `unreadable: it is not signed by a trusted key of ${SERVICE}`,
    code: 2,
  });
  expect((await verify('nonsense')).line).toMatch(/^unreadable: /);
  expect((await verify('{}')).line).toBe('unreadable: it holds no receipt');
  expect(() => readOptions(['--receipt', 'x'], {})).toThrow('--receipt needs --url');
});

test('the hash of a record gives its inclusion proof without an account; a wrong hash gives nothing', async () => {
  const { fetch, origin, hashes } = await stage();
  const hash = (await hashes())[1]!.toString('hex');
  const ask = (query: Record<string, string>) => fetch(`/log/inclusion?${new URLSearchParams(query)}`);
  const answer = await (await ask({ origin, index: '1', hash })).text();
  expect(JSON.parse(answer)).toMatchObject({
    checkpointSeconds: 60,
    inclusion: { leafIndex: 1, treeSize: 3 },
    head: { checkpoint: expect.stringContaining(`${SERVICE}/log`) },
  });
  expect(answer).not.toContain('record 1');
  const nothing = { checkpointSeconds: 60, inclusion: null, head: null };
  expect(await (await ask({ origin, index: '9', hash })).json()).toEqual(nothing);
  // An anonymous caller can neither count the records of a chain nor collect the hashes of neighbors.
  expect(await (await ask({ origin, index: '0', hash })).json()).toEqual(nothing);
  expect((await ask({ origin, index: '0' })).status).toBe(404);
  expect(await (await ask({ origin: `${SERVICE}/chains/999/proof`, index: '0', hash })).json()).toEqual(
    nothing,
  );
  for (const query of [
    { origin, index: '-1', hash },
    { origin, index: '', hash },
    { origin: 'x', index: '1', hash },
  ] as const)
    expect((await ask(query)).status).toBe(404);
});
