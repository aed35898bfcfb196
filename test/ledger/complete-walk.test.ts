/** Attacks that keep every hash, link and signature valid: the service and the command find each of them. */
import { expect, test } from 'vitest';
import { verifyEverything } from '../../src/commands/verify/database.ts';
import { openSource } from '../../src/commands/verify/source.ts';
import { systemContext } from '../../src/domain/context.ts';
import { recordDpu } from '../../src/domain/dpus/append-dpu.ts';
import { signDueChains } from '../../src/domain/ledger/signing/round.ts';
import { tamper } from '../checkpoints/chains.ts';
import { testApp } from '../helpers/app.ts';
import { makeMember } from '../helpers/world.ts';
import { registerPasskey, sign } from '../proof/signing.ts';
import { proofStage } from '../proof/stage.ts';

async function makeAttack() {
  const running = await testApp();
  const stage = await proofStage(running);
  const { database, superuser } = running;
  const { url, checkpointFile, dataDir, adminUrl } = database;
  /** The common verdict of the service and the command. */
  const verdict = async () => {
    const { body } = await running.call('GET', '/dpu/verify-chain', { token: stage.token });
    const source = await openSource({ kind: 'database', url, checkpointFile, dataDir }, undefined);
    try {
      for await (const { centerId, result } of verifyEverything(source)) {
        if (centerId !== stage.center.id) continue;
        expect({ valid: result.valid, differences: result.differences }).toEqual({
          valid: body.data.valid,
          differences: body.data.differences,
        });
      }
    } finally {
      await source.close();
    }
    const { valid, differences } = body.data;
    return { valid, differences };
  };
  const chainOf = async (domain: string): Promise<number> =>
    (
      await superuser.query(
        'SELECT id FROM ledger_chain WHERE center_id = $1 AND domain = $2::chain_domain',
        [stage.center.id, domain],
      )
    ).rows[0].id;
  const dpuOf = async (eventId: string) =>
    (
      await superuser.query(
        'SELECT d.index, d.id FROM dpu d JOIN decision_event e ON e.dpu_id = d.id WHERE e.id = $1',
        [eventId],
      )
    ).rows[0] as { index: number; id: string };
  const edit = (...statements: [sql: string, values?: unknown[]][]) => tamper(adminUrl, ...statements);
  return { ...running, stage, verdict, chainOf, dpuOf, edit };
}

type Attack = Awaited<ReturnType<typeof makeAttack>>;

const nothing = { valid: true, differences: [] };
const found = (...differences: object[]) => ({ valid: false, differences });

/** A valid-looking record of the proof chain, made from a genuine one, with a row beside it. */
async function forgeSeal(
  { superuser, chainOf, edit }: Attack,
  from: string,
  id: string,
  dpuId: string,
  change = (content: string) => content,
) {
  const proof = await chainOf('proof');
  const { rows } = await superuser.query(
    `SELECT d.id AS dpu, r.content, c.size FROM decision_event e JOIN dpu d ON d.id = e.dpu_id
     JOIN ledger_record r ON r.chain_id = d.chain_id AND r.index = d.index JOIN ledger_chain c ON c.id = d.chain_id
     WHERE e.id = $1`,
    [from],
  );
  const { dpu, content, size } = rows[0];
  const forged = change(content.replaceAll(`"${from}"`, `"${id}"`));
  await edit(
    ['SELECT count(*) FROM ledger_append($1, $2, $3)', [proof, [forged], new Date().toISOString()]],
    [
      `INSERT INTO dpu SELECT * FROM json_populate_record(NULL::dpu, (
         SELECT (row_to_json(d)::jsonb || jsonb_build_object('id', $2::text, 'index', $3::int, 'reference_id', $4::text))::json
         FROM dpu d WHERE d.id = $1))`,
      [dpu, dpuId, size, id],
    ],
  );
  return size as number;
}

test('a policy loosened in the table and restored is reported with the decision that used it', async () => {
  const attack = await makeAttack();
  const { stage, verdict, edit, dpuOf } = attack;
  const { id: policyId } = await stage.policy({ dualApproval: true }, 'payout');
  const honest = await stage.record({ action: { type: 'payout' } });
  await stage.approve(honest.id);
  await stage.approve(honest.id, { approver: { id: 'second', type: 'human' } });
  const payout = await stage.record({ action: { type: 'payout' } });
  await edit([`UPDATE policy SET guards = '{}' WHERE id = $1`, [policyId]]);
  const alone = await stage.approve(payout.id);
  await edit([`UPDATE policy SET guards = '{"dualApproval": true}' WHERE id = $1`, [policyId]]);
  expect(alone.status).toBe(200);
  const { id, index } = await dpuOf(payout.id);
  expect(await verdict()).toEqual(
    found({ table: 'decision_event', id: payout.id, chain: 'proof', index, member: 'policy' }),
  );
  const single = (dpuId: string) =>
    attack.call('GET', `/dpu/${dpuId}/verify`, { token: stage.token }).then(({ body }) => body.data.valid);
  expect([await single((await dpuOf(honest.id)).id), await single(id)]).toEqual([true, false]);
});

test('a policy that was inactive in the table for a moment is reported, however new it is', async () => {
  const { stage, verdict, edit, dpuOf } = await makeAttack();
  const { id: policyId } = await stage.policy({ dualApproval: true }, 'payout');
  const payout = await stage.record({ action: { type: 'payout' } });
  await edit(['UPDATE policy SET active = false WHERE id = $1', [policyId]]);
  const alone = await stage.approve(payout.id);
  await edit(['UPDATE policy SET active = true WHERE id = $1', [policyId]]);
  expect(alone.status).toBe(200);
  const { index } = await dpuOf(payout.id);
  expect(await verdict()).toEqual(
    found({ table: 'decision_event', id: payout.id, chain: 'proof', index, member: 'policy' }),
  );
});

test('journaled changes of policies and country leave earlier and later decisions valid', async () => {
  const { app, stage, verdict, graphql } = await makeAttack();
  const { id } = await stage.policy({ humanReviewForAi: true }, 'refund.*');
  const seal = async () => stage.approve((await stage.record()).id);
  await seal();
  const move = 'mutation { updateCenter(input: { country: "DE" }) { id } }';
  expect((await graphql(move, {}, stage.token)).errors).toBeUndefined();
  await seal();
  const change = 'mutation ($id: ID!) { updatePolicy(input: { id: $id, active: false }) { version } }';
  expect((await graphql(change, { id }, stage.token)).errors).toBeUndefined();
  await seal();
  await signDueChains(app);
  expect(await verdict()).toEqual(nothing);
});

test('a seal that differs from the recorded decision is reported', async () => {
  const attack = await makeAttack();
  const { stage, verdict, edit, superuser } = attack;
  const genuine = await stage.record();
  const waiting = await stage.record({ action: { type: 'refund.grant', input: { orderId: 'B-1' } } });
  await stage.approve(genuine.id);
  const { rows } = await superuser.query('SELECT dpu_id FROM decision_event WHERE id = $1', [waiting.id]);
  const index = await forgeSeal(attack, genuine.id, waiting.id, rows[0].dpu_id);
  await edit([`UPDATE decision_event SET status = 'sealed' WHERE id = $1`, [waiting.id]]);
  const { valid, differences } = await verdict();
  expect(valid).toBe(false);
  expect(differences).toContainEqual({
    table: 'decision_event',
    id: waiting.id,
    chain: 'proof',
    index,
    member: 'event',
  });
});

test('a seal that does not say what was considered is reported behind one that does', async () => {
  const attack = await makeAttack();
  const { stage, verdict, edit, superuser } = attack;
  const [genuine, waiting] = [await stage.record(), await stage.record()];
  await stage.approve(genuine.id);
  const { rows } = await superuser.query('SELECT dpu_id FROM decision_event WHERE id = $1', [waiting.id]);
  const withoutJournals = (content: string) => content.replace(/"journals":\[.*?\],/, '');
  const index = await forgeSeal(attack, genuine.id, waiting.id, rows[0].dpu_id, withoutJournals);
  await edit([`UPDATE decision_event SET status = 'sealed' WHERE id = $1`, [waiting.id]]);
  expect((await verdict()).differences).toContainEqual({
    table: 'decision_event',
    id: waiting.id,
    chain: 'proof',
    index,
    member: 'policy',
  });
});

test('a seal of an unrecorded decision, and a second seal of a decision, are reported', async () => {
  const attack = await makeAttack();
  const { stage, verdict } = attack;
  const { id } = await stage.record();
  await stage.approve(id);
  const invented = await forgeSeal(attack, id, 'evt_invented', 'dpu_invented');
  const second = await forgeSeal(attack, id, id, 'dpu_second');
  expect(await verdict()).toEqual(
    found(
      { table: 'dpu', id: 'dpu_invented', chain: 'proof', index: invented, member: null },
      { table: 'dpu', id: 'dpu_second', chain: 'proof', index: second, member: null },
    ),
  );
});

test('a record dated before its predecessor or in the future is reported', async () => {
  const { chainOf, edit, verdict, stage, superuser, app } = await makeAttack();
  await stage.record();
  const journal = await chainOf('journal');
  const append = (at: string): [string, unknown[]] => [
    'SELECT count(*) FROM ledger_append($1, $2, $3)',
    [journal, ['{"kind":"note"}'], at],
  ];
  const seconds = (n: number) => new Date(Date.now() + n * 1_000).toISOString();
  await edit(append(seconds(-20)), append(seconds(0)));
  expect(await verdict()).toEqual(nothing);
  await edit(append('2021-01-01T00:00:00.000Z'), append(seconds(0)), append('2076-01-01T00:00:00.000Z'));
  await signDueChains(app);
  const { rows } = await superuser.query('SELECT size FROM ledger_chain WHERE id = $1', [journal]);
  const time = (index: number) => ({
    table: 'ledger_record',
    id: `journal/${index}`,
    chain: 'journal',
    index,
    member: 'time',
  });
  expect(await verdict()).toEqual(found(time(rows[0].size - 3), time(rows[0].size - 1)));
});

const ERASE = 'mutation ($input: EraseDecisionInput!) { eraseDecision(input: $input) { id } }';
const ERASE_CONTENT = 'mutation ($input: EraseDpuContentInput!) { eraseDpuContent(input: $input) { id } }';

test('columns of lists that no longer follow from the sealed document are reported', async () => {
  const { stage, verdict, edit, superuser } = await makeAttack();
  const { id } = await stage.record();
  await stage.approve(id);
  expect(await verdict()).toEqual(nothing);
  await edit(
    ['ALTER TABLE decision_event ALTER COLUMN actor_name DROP EXPRESSION, ALTER COLUMN tags DROP EXPRESSION'],
    [`UPDATE decision_event SET actor_name = 'Someone else', tags = '{}' WHERE id = $1`, [id]],
  );
  const { rows } = await superuser.query('SELECT journal_index FROM decision_event WHERE id = $1', [id]);
  const place = { table: 'decision_event', id, chain: 'journal', index: rows[0].journal_index };
  expect(await verdict()).toEqual(found({ ...place, member: 'actor.name' }, { ...place, member: 'tags' }));
});

test('restored members of an erased decision are reported, with or without the erasure mark', async () => {
  const { app, stage, graphql, edit, verdict, superuser, chainOf } = await makeAttack();
  const ctx = systemContext(app, 'test', stage.center.id);
  const [whole, marked] = [await stage.record(), await stage.record()];
  for (const { id } of [whole, marked]) await stage.approve(id);
  const { dpuId } = await recordDpu(ctx, { content: 'a secret', tags: ['a'] });
  const tables = ['decision_event', 'approval', 'dpu', 'ledger_record'];
  for (const table of tables) await edit([`CREATE TABLE kept_${table} AS TABLE ${table}`]);
  for (const { id } of [whole, marked])
    expect(
      (await graphql(ERASE, { input: { eventId: id, reason: 'r' } }, stage.token)).errors,
    ).toBeUndefined();
  await graphql(ERASE_CONTENT, { input: { id: dpuId, reason: 'r' } }, stage.token);
  expect(await verdict()).toEqual(nothing);

  const restored = (table: string, columns: string[], where: string) =>
    `UPDATE ${table} t SET ${columns.map((column) => `${column} = k.${column}`).join(', ')}
     FROM kept_${table} k WHERE k.id = t.id AND t.${where}`;
  await edit(
    [restored('decision_event', ['content', 'large', 'salts', 'erased'], 'id = $1'), [whole.id]],
    [restored('decision_event', ['large'], 'id = $1'), [marked.id]],
    [restored('approval', ['content'], 'event_id = $1'), [marked.id]],
    [`UPDATE dpu SET erased_at = NULL, erased_reason = NULL WHERE id = $1`, [dpuId]],
    [
      `UPDATE ledger_record r SET content = k.content FROM kept_ledger_record k
       WHERE k.chain_id = r.chain_id AND k.index = r.index AND r.content = ''`,
    ],
  );
  const journal = await chainOf('journal');
  const entryOf = async (id: string) => {
    const { rows } = await superuser.query(
      `SELECT index FROM ledger_record WHERE chain_id = $1 AND content LIKE '%"kind":"erased"%' AND strpos(content, $2) > 0`,
      [journal, id],
    );
    return { chain: 'journal', index: rows[0].index, member: 'erased' };
  };
  const approvals = await superuser.query('SELECT id FROM approval WHERE event_id = $1', [marked.id]);
  const { valid, differences } = await verdict();
  expect(valid).toBe(false);
  expect(differences.filter(({ member }: { member: string }) => member === 'erased')).toEqual([
    { table: 'dpu', id: dpuId, ...(await entryOf(dpuId)) },
    { table: 'decision_event', id: whole.id, ...(await entryOf(whole.id)) },
    { table: 'decision_event', id: marked.id, ...(await entryOf(marked.id)) },
    { table: 'approval', id: approvals.rows[0].id, ...(await entryOf(marked.id)) },
  ]);
});

test('a passkey reassigned to another person is reported with the approval that it signed', async () => {
  const attack = await makeAttack();
  const { app, stage, verdict, edit, superuser } = attack;
  const mallory = await makeMember(app, stage.center.id, 'ADMIN');
  const genuine = await registerPasskey(attack, stage.token);
  const forged = await registerPasskey(attack, mallory.token);
  const [honest, payout] = [await stage.record(), await stage.record()];
  expect(await sign(attack, stage.token, genuine, { eventId: honest.id })).not.toHaveProperty('refused');
  expect(await verdict()).toEqual(nothing);
  await edit([
    'UPDATE passkey SET actor_id = $1 WHERE credential_id = $2',
    [stage.admin.actor.id, forged.id],
  ]);
  const userHandle = Buffer.from(stage.admin.actor.id.replaceAll('-', ''), 'hex').toString('base64url');
  expect(await sign(attack, stage.token, forged, { eventId: payout.id }, { userHandle })).not.toHaveProperty(
    'refused',
  );
  const row = await superuser.query('SELECT id FROM passkey WHERE credential_id = $1', [forged.id]);
  const approval = await superuser.query('SELECT id FROM approval WHERE event_id = $1', [payout.id]);
  const { differences } = await verdict();
  expect(differences).toEqual([
    expect.objectContaining({
      table: 'approval',
      id: approval.rows[0].id,
      chain: 'proof',
      member: 'passkey',
    }),
    expect.objectContaining({ table: 'decision_event', id: payout.id, chain: 'proof', member: 'credential' }),
    expect.objectContaining({ table: 'passkey', id: row.rows[0].id, chain: '0/audit', member: 'passkey' }),
  ]);
});

test('a passkey row without a registration is reported', async () => {
  const attack = await makeAttack();
  const { stage, verdict, edit } = attack;
  const { id } = await registerPasskey(attack, stage.token);
  await edit([
    `INSERT INTO passkey SELECT * FROM json_populate_record(NULL::passkey, (
       SELECT (row_to_json(p)::jsonb || '{"id": "psk_forged", "credential_id": "forged", "public_key": "\\\\x3059"}')::json
       FROM passkey p WHERE credential_id = $1))`,
    [id],
  ]);
  expect(await verdict()).toEqual(
    found({ table: 'passkey', id: 'psk_forged', chain: '0/audit', index: null, member: 'passkey' }),
  );
});
