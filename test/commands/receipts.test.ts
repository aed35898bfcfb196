import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readOptions } from '@countersign/auditor/verify/options';
import { runVerify } from '@countersign/auditor/verify/run';
import { expect, test } from 'vitest';
import { openKeyring } from '../../src/domain/ledger/keys/change.ts';
import { signText } from '../../src/domain/ledger/keys/ring.ts';
import { signDueChains } from '../../src/domain/ledger/signing/round.ts';
import { appendRecords, cutTail, makeChain, numbered, recordHashes } from '../checkpoints/chains.ts';
import { testApp } from '../helpers/app.ts';
import { folder } from '../witness/programs.ts';

const SERVICE = 'proof.example';

async function stage() {
  const running = await testApp({ env: { PUBLIC_URL: `https://${SERVICE}`, CHECKPOINT_SECONDS: '60' } });
  const { app, url } = running;
  const { center, chainId } = await makeChain(app, 3);
  await signDueChains(app);
  const origin = `${SERVICE}/chains/${center.id}/platform`;
  const files = await folder();
  /** A receipt as the service signs it. */
  const receipt = async (index: number, hash: Buffer, secondsAgo = 0) => {
    const time = new Date(Date.now() - secondsAgo * 1_000).toISOString();
    const text = `${SERVICE}/receipts\n${origin}\n${index}\n${hash.toString('base64')}\n${time}\n`;
    return signText(text, (await openKeyring(app, SERVICE)).signersFor(origin));
  };
  const verify = async (content: string, ...more: string[]) => {
    const file = join(files, 'receipt.txt');
    await writeFile(file, content);
    const options = readOptions(['--receipt', file, '--url', url, ...more], {});
    const { text, code } = await runVerify(options as Exclude<typeof options, 'help'>);
    return { line: text.replace(`${file}: `, '').trim(), code };
  };
  return { ...running, chainId, origin, receipt, verify, hashes: () => recordHashes(app, chainId) };
}

test('a receipt is kept if its record is in the signed log; note and JSON response are accepted', async () => {
  const { receipt, verify, hashes, origin } = await stage();
  const [, second] = await hashes();
  const note = await receipt(1, second!);
  const kept = { line: `kept: record 1 of ${origin} is in the log`, code: 0 };
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

test('input that is not a receipt signed by a trusted key is unreadable', async () => {
  const { receipt, verify, hashes } = await stage();
  const note = await receipt(1, (await hashes())[1]!);
  const unsigned = `unreadable: it is not signed by a trusted key of ${SERVICE}`;
  expect(await verify(note.replace('\n1\n', '\n2\n'))).toEqual({ line: unsigned, code: 2 });
  const other = `${SERVICE}+dc1ad4de+Aa2i9QPfexISplXGXC5hqmdxgEZ0Y54s2Kh60zNyYsaM`;
  await expect(verify(note, '--key', other)).rejects.toThrow('--key');
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
