import { expect, test } from 'vitest';
import { systemContext } from '../../src/domain/context.ts';
import { recordDecisionInput } from '../../src/domain/decisions/input.ts';
import { recordDecision } from '../../src/domain/decisions/record/record.ts';
import { recordDpu } from '../../src/domain/dpus/append-dpu.ts';
import { testApp } from '../helpers/app.ts';
import { runAs } from '../helpers/server.ts';
import { makeCenter } from '../helpers/world.ts';

const HASH = 'a'.repeat(64);
const RECORD = `INSERT INTO ledger_record (chain_id, index, content, previous_hash, hash, timestamp)
                VALUES ($1, $2, 'x', $3, $4, $5)`;
const DPU = `INSERT INTO dpu (id, center_id, chain_id, index, domain, vertical, evidence_level)
             VALUES ('dpu_x', $1, $2, $3, 'platform', 'education', 'DRAFT')`;

const APPROVAL = `INSERT INTO approval (id, center_id, event_id, content, salts, content_hash)
                  VALUES ('apr_x', $1, 'evt_none', '{"result": "approved"}', '{}', '${HASH}')`;

test('the tables reject unlinked records and DPUs, invalid hashes, and deletes of referenced rows', async () => {
  const { app, database } = await testApp();
  const center = await makeCenter(app);
  const ctx = systemContext(app, 'test', center.id);
  const { chainId, dpuId, hash: first } = await recordDpu(ctx, { content: 'first' });
  const run = (sql: string, ...values: unknown[]) => runAs(database.adminUrl, sql, values);
  const at = new Date().toISOString();

  for (const [what, chain, index, previous] of [
    ['no chain', 2_000_000_000, 0, null],
    ['a gap', chainId, 2, first],
    ['another previous hash', chainId, 1, HASH],
    ['none', chainId, 1, null],
  ] as const) {
    await expect(run(RECORD, chain, index, previous, HASH, at), what).rejects.toMatchObject({
      code: '23514',
    });
  }
  await expect(run(`${RECORD}, ($1, 2, 'y', $3, $4, $5)`, chainId, 1, first, HASH, at)).rejects.toMatchObject(
    {
      code: '23514',
    },
  );
  await expect(run(RECORD, chainId, 0, null, HASH, at)).rejects.toMatchObject({ code: '23505' });
  for (const bad of [
    HASH.slice(1),
    `${HASH}a`,
    `g${HASH.slice(1)}`,
    HASH.toUpperCase(),
    `${HASH.slice(1)}\n`,
  ]) {
    await expect(run(RECORD, chainId, 1, first, bad, at)).rejects.toMatchObject({ code: '23514' });
    await expect(run(RECORD, chainId, 1, bad, HASH, at)).rejects.toMatchObject({ code: '23514' });
  }
  await expect(run(APPROVAL, center.id)).rejects.toMatchObject({ code: '23503' });
  await expect(run(DPU, center.id, chainId, 1)).rejects.toMatchObject({ code: '23503' });
  await expect(run('UPDATE dpu SET index = 7 WHERE id = $1', dpuId)).rejects.toMatchObject({ code: '23001' });
  await expect(run('DELETE FROM ledger_record WHERE chain_id = $1', chainId)).rejects.toMatchObject({
    code: '23001',
  });
  await expect(run('DELETE FROM ledger_chain WHERE id = $1', chainId)).rejects.toMatchObject({
    code: '23001',
  });
  const { event } = await recordDecision(
    ctx,
    recordDecisionInput.parse({
      type: 'agent_execution',
      actor: { id: 'bot', type: 'ai_agent' },
      action: { type: 'note.write' },
    }),
  );
  await expect(run('DELETE FROM decision_event WHERE id = $1', event.id)).rejects.toMatchObject({
    code: '23001',
  });
});
