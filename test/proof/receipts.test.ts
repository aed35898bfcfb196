import { publishedBy } from '@countersign/auditor/verify/keys';
import type { TrustedServiceKey } from '@countersign/proof-kit';
import { isSignedByService, parseReceipt, type ReceiptKind } from '@countersign/proof-kit/receipt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { decision } from './decisions.ts';
import { type ProofStage, proofStage } from './stage.ts';

let running: TestApp;
let stage: ProofStage;
let keys: TrustedServiceKey[];
beforeAll(async () => {
  running = await startTestApp();
  stage = await proofStage(running);
  await stage.record();
  keys = await publishedBy(running.url);
});
afterAll(() => running.close());

/** The receipt must be signed and name the record that is at its position. */
async function expectReceipt(text: string, kind: ReceiptKind, eventId: string, domain: 'journal' | 'proof') {
  const receipt = parseReceipt(text);
  expect(await isSignedByService(receipt, keys)).toBe(true);
  expect(receipt).toMatchObject({ kind, eventId });
  expect(receipt.origin).toBe(`${receipt.service}/chains/${stage.center.id}/${domain}`);
  const { rows } = await running.superuser.query(
    `SELECT r.hash, r.timestamp, r.content FROM ledger_record r JOIN ledger_chain c ON c.id = r.chain_id
     WHERE c.center_id = $1 AND c.domain = $2::chain_domain AND r.index = $3`,
    [stage.center.id, domain, receipt.index],
  );
  const [{ hash, timestamp, content }] = rows;
  expect([Buffer.from(receipt.hash).toString('hex'), receipt.time]).toEqual([hash, timestamp]);
  expect(content).toContain(eventId);
}

const agentCall = { agent: { id: 'refund-agent' }, action: { type: 'refund.grant' }, riskScore: 0.95 };
const report = {
  status: 'executed',
  argumentsDigest: 'sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
};

test('recording, approving, rejecting, claiming and reporting return a receipt of that kind', async () => {
  const first = await stage.record();
  await expectReceipt(first.receipt, 'recorded', first.id, 'journal');
  const approved = (await stage.approve(first.id)).body.data;
  await expectReceipt(approved.receipt, 'approved', first.id, 'proof');

  const second = await stage.record();
  const rejected = (await stage.approve(second.id, { result: 'rejected' })).body.data;
  await expectReceipt(rejected.receipt, 'rejected', second.id, 'journal');

  const { eventId, receipt } = (await stage.post('/agents/decide', agentCall)).body.data;
  await expectReceipt(receipt, 'recorded', eventId, 'journal');
  await stage.approve(eventId);
  const claimed = (await stage.post(`/decision-events/${eventId}/claim`, {})).body.data;
  await expectReceipt(claimed.receipt, 'claimed', eventId, 'journal');
  const reported = (await stage.post(`/decision-events/${eventId}/outcome`, report)).body.data;
  await expectReceipt(reported.receipt, 'outcome', eventId, 'journal');

  const document = 'query ($id: ID!) { decisionEvent(id: $id) { receipt outcome { receipt } } }';
  const read = await stage.ask(document, { id: eventId });
  await expectReceipt(read.receipt, 'recorded', eventId, 'journal');
  await expectReceipt(read.outcome.receipt, 'outcome', eventId, 'journal');
});

test('the first of two approvals returns a receipt of its entry on the journal', async () => {
  await stage.policy({ dualApproval: true }, 'vault.*');
  const { id } = await stage.record({ action: { type: 'vault.open' } });
  const first = (await stage.approve(id)).body.data;
  await expectReceipt(first.receipt, 'approved', id, 'journal');
});

const batchesOf = (receipts: string[]) =>
  Map.groupBy(receipts, (receipt) => receipt.split('\n\n').slice(2).join('\n\n'));

test('receipts that are asked for at the same time share one signature', async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, () => stage.record()));
  for (const { id, receipt } of answers) await expectReceipt(receipt, 'recorded', id, 'journal');
  for (const [note, batch] of batchesOf(answers.map(({ receipt }) => receipt)))
    expect(note).toContain(`/receipts\n${batch.length}\n`);

  const list = await stage.ask('{ decisionEvents(first: 40) { edges { node { id receipt } } } }');
  const nodes = list.edges.map(({ node }: { node: { id: string; receipt: string } }) => node);
  expect(batchesOf(nodes.map(({ receipt }: { receipt: string }) => receipt)).size).toBe(1);
  for (const { id, receipt } of nodes) await expectReceipt(receipt, 'recorded', id, 'journal');
});

test('a repeated request gets a receipt of the same record', async () => {
  const ask = (headers = {}) =>
    stage.post('/decision-events', { ...decision, idempotencyKey: 'receipted' }, headers);
  const headers = { 'Idempotency-Key': 'receipted-once' };
  const first = (await ask(headers)).body.data;
  expect((await ask(headers)).body.data.receipt).toBe(first.receipt);
  const again = (await ask()).body.data;
  const promise = (text: string) => text.split('\n\n')[0];
  expect(promise(again.receipt)).toBe(promise(first.receipt));
  await expectReceipt(again.receipt, 'recorded', first.id, 'journal');
});
