import { verifyProof } from '@countersign/proof-kit/verify-proof';
import { expect, test } from 'vitest';
import { systemContext } from '../../src/domain/context.ts';
import { recordDpu } from '../../src/domain/dpus/append-dpu.ts';
import { testApp } from '../helpers/app.ts';
import { makeMember } from '../helpers/world.ts';
import { ask } from './signing.ts';
import { proofStage } from './stage.ts';

const ERASE = `mutation ($input: EraseDecisionInput!) {
  eraseDecision(input: $input) { erased { path } pendingErasure { fields reason requestedBy } } }`;
const CONFIRM = `mutation ($input: ConfirmErasureInput!) {
  confirmErasure(input: $input) { erased { path } pendingErasure { reason } } }`;
const SWITCH = `mutation ($on: Boolean!) { updateCenter(input: { erasureNeedsTwo: $on }) { id } }`;

async function byTwo() {
  const running = await testApp();
  const stage = await proofStage(running);
  const other = await makeMember(running.app, stage.center.id, 'ADMIN');
  const as = (token: string) => (document: string, variables: object) =>
    ask(running, token, document, variables as Record<string, unknown>);
  const [first, second] = [as(stage.token), as(other.token)];
  await first(SWITCH, { on: true });
  const { id } = await stage.record();
  await stage.approve(id);
  const erase = {
    input: { eventId: id, fields: ['approvals.approver.id', 'approvals.reason'], reason: 'r' },
  };
  return { running, stage, other, first, second, id: id as string, erase };
}

test('an ADMIN cannot erase traces of their own approval alone', async () => {
  const { first, second, id, erase, stage, other, running } = await byTwo();
  expect(await first(ERASE, erase)).toEqual({
    erased: [],
    pendingErasure: { fields: erase.input.fields, reason: 'r', requestedBy: stage.admin.actor.id },
  });
  expect(await first(CONFIRM, { input: { eventId: id } })).toMatchObject({ refused: 'FORBIDDEN' });
  expect(await first(ERASE, erase)).toMatchObject({ refused: 'CONFLICT' });
  expect((await stage.get(`/decision-events/${id}`)).body.data.approvals[0].approver.id).toBe('boss');
  expect(await second(CONFIRM, { input: { eventId: id } })).toEqual({
    erased: [{ path: 'approvals.approver.id' }, { path: 'approvals.reason' }],
    pendingErasure: null,
  });
  expect(await second(CONFIRM, { input: { eventId: id } })).toMatchObject({ refused: 'NOT_FOUND' });
  const { rows } = await running.superuser.query(
    `SELECT r.content, b.by_id FROM ledger_record r JOIN journal_by b ON b.chain_id = r.chain_id AND b.index = r.index
     WHERE b.subject = $1 AND b.kind = 'erased'`,
    [id],
  );
  expect(rows[0].by_id).toBe(stage.admin.actor.id);
  expect(JSON.parse(rows[0].content)).toMatchObject({
    by: { kind: 'session' },
    confirmedBy: { kind: 'session' },
  });
  expect(rows[0].content).not.toContain(other.actor.id);
  const { body: proof } = await stage.get(`/decision-events/${id}/export`);
  expect(proof.erased[0]).toMatchObject({
    by: { kind: 'session', id: stage.admin.actor.id },
    confirmedBy: { kind: 'session', id: other.actor.id },
  });
  const { verdict, reason } = await verifyProof(JSON.stringify(proof));
  expect([verdict, reason]).toEqual([
    'partial',
    `erased: approvals.approver.id, approvals.reason; erased by ${stage.admin.actor.id}, confirmed by ${other.actor.id}; outcome: none shown`,
  ]);
  const { body } = await running.call('GET', '/dpu/verify-chain', { token: stage.token });
  expect(body.data).toMatchObject({ valid: true, differences: [] });
});

test('an ADMIN cannot disable the two-person rule alone', async () => {
  const { first, second, erase } = await byTwo();
  await first(SWITCH, { on: false });
  await first(SWITCH, { on: false });
  expect(await first(ERASE, erase)).toMatchObject({ erased: [], pendingErasure: { reason: 'r' } });
  await second(SWITCH, { on: false });
  const whole = { input: { eventId: erase.input.eventId, fields: ['approvals.reason'], reason: 'r' } };
  expect(await first(ERASE, whole)).toMatchObject({ erased: [{ path: 'approvals.reason' }] });
});

test('erasing the content of a record needs two people too', async () => {
  const { first, second, running, stage } = await byTwo();
  const ctx = systemContext(running.app, 'test', stage.center.id);
  const { dpuId: id } = await recordDpu(ctx, { content: 'a secret' });
  const erase = 'mutation ($input: EraseDpuContentInput!) { eraseDpuContent(input: $input) { content } }';
  const confirm = `mutation ($input: ConfirmContentErasureInput!) {
    confirmContentErasure(input: $input) { content } }`;
  expect(await first(erase, { input: { id, reason: 'r' } })).toEqual({ content: 'a secret' });
  expect(await first(confirm, { input: { id } })).toMatchObject({ refused: 'FORBIDDEN' });
  expect(await second(confirm, { input: { id } })).toEqual({ content: '' });
});
