import { beforeAll, describe, expect, test } from 'vitest';
import { runAs } from '../helpers/server.ts';
import { makeMember } from '../helpers/world.ts';
import { chainsAreValid, erase, eraseContent, running, stage, startErasureWorld } from './erasure-world.ts';
import { proofStage } from './stage.ts';

startErasureWorld();

/** As the login of the service, which an injection would use. */
describe('direct SQL by the application role', () => {
  let ids: Record<'waiting' | 'sealed' | 'dpu' | 'platform', string>;
  beforeAll(async () => {
    const waiting = (await stage.record()).id;
    const sealed = (await stage.record()).id;
    await stage.approve(sealed);
    const { body } = await running.call('POST', '/dpu/demo', {
      token: stage.token,
      body: { content: 'stays' },
    });
    const { rows } = await running.superuser.query('SELECT dpu_id FROM decision_event WHERE id = $1', [
      sealed,
    ]);
    ids = { waiting, sealed, dpu: rows[0].dpu_id, platform: body.data.id };
  });
  const filled = (sql: string) =>
    sql.replace(/:(\w+)/g, (all, name: string) => (name in ids ? `'${ids[name as 'sealed']}'` : all));

  test.each([
    // No privilege on any column except the status of a decision and the level of a record.
    `UPDATE decision_event SET content = content #- '{actor,id}' WHERE id = :sealed`,
    `UPDATE decision_event SET large = NULL WHERE id = :waiting`,
    `UPDATE decision_event SET erased = '{}' WHERE id = :sealed`,
    `UPDATE approval SET content = content - 'reason'`,
    `UPDATE outcome SET large = NULL`,
    `UPDATE ledger_record SET content = ''`,
    `UPDATE dpu SET tags = '{}' WHERE id = :platform`,
    `UPDATE platform_event SET data = '{}'`,
    `DELETE FROM outcome`,
    // Final states stay final.
    `UPDATE decision_event SET status = 'recorded' WHERE id = :sealed`,
    `UPDATE dpu SET metadata = '{"a": 1}' WHERE id = :dpu`,
    // Erasure writes to the journal; only final, declared and existing members can be erased.
    `SELECT erase_decision_members(:center, '{"kind": "noted", "eventId": ":sealed", "fields": ["tags"], "reason": "r"}', :at, '{"event": {"tags": "x"}}')`,
    `SELECT erase_decision_members(:center, '{"kind": "erased", "eventId": ":sealed", "fields": ["actor.id"], "reason": "r"}', :at, '{"event": {"tags": "x"}}')`,
    `SELECT erase_decision_members(:center, '{"kind": "erased", "eventId": ":waiting", "fields": ["tags"], "reason": "r"}', :at, '{"event": {"tags": "x"}}')`,
    `SELECT erase_decision_members(:center, '{"kind": "erased", "eventId": ":sealed", "fields": ["tags"], "reason": "r"}', :at, '{"event": {"tags": "x"}}')`,
    `SELECT erase_decision_members(:center, '{"kind": "erased", "eventId": ":sealed", "fields": ["action.type"], "reason": "r"}', :at, '{"event": {"action.type": "x"}}')`,
    `SELECT empty_events(:center, 'msg_', ARRAY[:sealed], '{}')`,
    `SELECT erase_record_content(:center, '{"kind": "erased", "dpuId": ":dpu", "fields": ["content"], "reason": "r"}', '{"kind": "dpu"}', 's', :at)`,
    `SELECT erase_record_content(:center, '{"kind": "erased", "dpuId": ":platform", "fields": ["content"], "reason": "r"}', '{"kind": "dpu"}', 's', :at)`,
  ])('%s is rejected', async (sql) => {
    const text = filled(sql.replaceAll(/":(\w+)"/g, (_, name) => `"${ids[name as 'sealed']}"`))
      .replace(':center', String(stage.center.id))
      .replace(':at', `'${new Date().toISOString()}'`);
    await expect(
      runAs(running.database.url, `SET cs.centers = '${stage.center.id}'; ${text}`),
    ).rejects.toMatchObject({ code: expect.stringMatching(/^(42501|23001)$/) });
  });

  test('triggers reject changes by the owner too, except erasing a value with its mark', async () => {
    const mark = `'{"tags": {"at": "t", "reason": "r", "digest": "d"}}'`;
    const without = `(salts::jsonb - 'tags')::json`;
    const untagged = `content = content - 'tags'`;
    for (const change of [
      `decision_event SET ${untagged} WHERE id = :sealed`,
      `decision_event SET content = content || '{"tags": ["other"]}', salts = ${without}, erased = ${mark} WHERE id = :sealed`,
      `decision_event SET ${untagged}, erased = ${mark} WHERE id = :sealed`,
      `decision_event SET salts = ${without}, erased = ${mark} WHERE id = :waiting`,
      `decision_event SET ${untagged}, salts = ${without}, erased = '{"tags": {}}' WHERE id = :sealed`,
      `decision_event SET content = content #- '{actor,name}' WHERE id = :waiting`,
      `decision_event SET content = jsonb_set(content, '{action,type}', '"other"') WHERE id = :waiting`,
      `decision_event SET large = '{}' WHERE id = :waiting`,
      `decision_event SET by_id = 'other' WHERE id = :waiting`,
      `decision_event SET idempotency_key = 'other' WHERE id = :waiting`,
      `approval SET content = content || '{"reason": "other"}' WHERE event_id = :sealed`,
      `ledger_record r SET content = '' FROM dpu d WHERE d.id = :platform AND d.chain_id = r.chain_id AND d.index = r.index`,
      `ledger_record r SET content = '' FROM dpu d WHERE d.id = :dpu AND d.chain_id = r.chain_id AND d.index = r.index`,
      `dpu SET tags = '{}', actor_id = NULL WHERE id = :dpu`,
      `dpu SET erased_at = now(), metadata = '{"a": 1}' WHERE id = :platform`,
      `dpu SET erased_at = now(), erased_reason = 'r' WHERE id = :dpu`,
    ]) {
      const done = running.superuser.query(`UPDATE ${filled(change)}`);
      await expect(done, change).rejects.toMatchObject({ code: '23001' });
    }
    await chainsAreValid();
  });

  test('erasing from a center that was not declared is rejected', async () => {
    const foreign = await proofStage(running);
    const entry = { kind: 'erased', eventId: ids.sealed, fields: ['tags'], reason: 'r' };
    const calls = [
      `erase_decision_members(${stage.center.id}, '${JSON.stringify(entry)}', '${new Date().toISOString()}', '{"event": {"tags": "x"}}')`,
      `erase_from_events(${stage.center.id}, 'msg_', ARRAY['${ids.sealed}'], '{}')`,
    ];
    for (const call of calls) {
      for (const declared of ['', `SET cs.centers = '${foreign.center.id}';`]) {
        await expect(runAs(running.database.url, `${declared} SELECT ${call}`)).rejects.toMatchObject({
          code: '42501',
        });
      }
    }
  });
});

describe('invalid requests', () => {
  let id: string;
  beforeAll(async () => {
    id = (await stage.record()).id;
  });

  test.each([
    [{ fields: ['action.input', 'action.type'] }, '"action.type" is not a member that can be erased'],
    [{ fields: ['approver.id'] }, '"approver.id" is not a member that can be erased'],
    [{ fields: [] }, 'fields'],
    [{ reason: '' }, 'reason'],
    [{ reason: 'x'.repeat(1_001) }, 'reason'],
  ])('%j is rejected with the reason', async (more, words) => {
    const { errors } = await erase(id, more);
    expect(errors?.[0]?.extensions.code).toBe('VALIDATION_ERROR');
    expect(JSON.stringify(errors)).toContain(JSON.stringify(words).slice(1, -1));
  });

  test('another role, an API key and another center cannot erase', async () => {
    const instructor = await makeMember(running.app, stage.center.id, 'INSTRUCTOR');
    const foreign = await proofStage(running);
    const codes = async (token: string) => [
      (await erase(id, {}, token)).errors?.[0]?.extensions.code,
      (await eraseContent('dpu_00000000000000000000000000', token)).errors?.[0]?.extensions.code,
    ];
    expect(await codes(instructor.token)).toEqual(['INSUFFICIENT_ROLE', 'INSUFFICIENT_ROLE']);
    expect(await codes(stage.key)).toEqual(['UNAUTHORIZED', 'UNAUTHORIZED']);
    expect(await codes(foreign.token)).toEqual(['NOT_FOUND', 'DPU_NOT_FOUND']);
    expect((await stage.get(`/decision-events/${id}`)).body.data.status).toBe('recorded');
  });
});
