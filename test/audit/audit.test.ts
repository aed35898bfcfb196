import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditTypes } from '../../src/domain/audit/entry.ts';
import { makeContext, systemContext } from '../../src/domain/context.ts';
import { transact } from '../../src/domain/unit-of-work.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { watch } from '../helpers/watch.ts';
import { makeMember, makeStage } from '../helpers/world.ts';

let running: TestApp;
beforeAll(async () => {
  running = await startTestApp();
});
afterAll(() => running.close());

const LIST = `query ($filter: AuditFilter, $first: Int, $after: String) {
  auditEntries(filter: $filter, first: $first, after: $after) {
    edges { node { id type actorId target detail ip occurredAt chainIndex } } pageInfo { endCursor hasNextPage }
  }
}`;

const listed = async (token: string, variables: Record<string, unknown> = {}) => {
  const { data, errors } = await running.graphql(LIST, { first: 100, ...variables }, token);
  expect(errors).toBeUndefined();
  return data.auditEntries.edges.map((edge: { node: { target: string } }) => edge.node);
};
const targets = (entries: { target: string }[]) => entries.map(({ target }) => target);

test('entries can be filtered by type, actor, target and time, and are paged newest first', async () => {
  const { center, token } = await makeStage(running.app);
  const days = ['2026-01-01', '2026-01-02', '2026-01-03'];
  for (const [i, day] of days.entries()) {
    const ctx = makeContext({
      app: running.app,
      principal: { kind: 'system', name: i === 1 ? 'night' : 'day', centerId: center.id },
      now: new Date(`${day}T12:00:00Z`),
      ip: '192.0.2.7',
    });
    await transact(ctx, async (work) =>
      work.audit({ type: i === 0 ? 'workflow.executed' : 'center.updated', target: `t${i}`, detail: { i } }),
    );
  }
  const all = await listed(token);
  expect(targets(all).slice(0, 3)).toEqual(['t2', 't1', 't0']);
  expect(all[0]).toMatchObject({
    type: 'center.updated',
    actorId: 'system:day',
    detail: { i: 2 },
    ip: '192.0.2.7',
    occurredAt: '2026-01-03T12:00:00.000Z',
  });
  const by = async (filter: object) => targets(await listed(token, { filter }));
  expect(await by({ types: ['workflow.executed'] })).toEqual(['t0']);
  expect(await by({ types: ['workflow.executed', 'center.updated'] })).toEqual(['t2', 't1', 't0']);
  expect(await by({ actorId: 'system:night' })).toEqual(['t1']);
  expect(await by({ target: 't2' })).toEqual(['t2']);
  expect(await by({ from: '2026-01-02T00:00:00Z', to: '2026-01-03T00:00:00Z' })).toEqual(['t1']);
  expect(await by({ to: '2026-01-02T12:00:00Z' })).toEqual(['t0']);

  const first = await running.graphql(LIST, { first: 2 }, token);
  const { endCursor } = first.data.auditEntries.pageInfo;
  expect(targets(await listed(token, { first: 1, after: endCursor }))).toEqual(['t0']);
});

test('only an ADMIN of the center can read the audit log', async () => {
  const { center, token } = await makeStage(running.app);
  const other = await makeStage(running.app);
  const instructor = await makeMember(running.app, center.id, 'INSTRUCTOR');
  const [entry] = await listed(token);
  expect(targets(await listed(other.token))).not.toContain(entry.target);
  const refused = await running.graphql(LIST, {}, instructor.token);
  expect(refused.errors![0]!.extensions.code).toBe('INSUFFICIENT_ROLE');
  const node = `query ($id: ID!) { node(id: $id) { ... on AuditEntry { id type } } }`;
  expect((await running.graphql(node, { id: entry.id }, token)).data.node.id).toBe(entry.id);
  expect((await running.graphql(node, { id: entry.id }, other.token)).data.node).toBeNull();
  const asInstructor = await running.graphql(node, { id: entry.id }, instructor.token);
  expect(JSON.stringify(asInstructor.data ?? null)).not.toContain(entry.type);
  const unknown = await running.graphql(LIST, { filter: { types: ['made.up'] } }, token);
  expect(unknown.errors![0]!.extensions.code).toBe('VALIDATION_ERROR');
});

test('there are twelve audit types', () => {
  expect(new Set(auditTypes).size).toBe(12);
});

test('a rolled-back change leaves no entry, and concurrent entries leave no gap in the chain', async () => {
  const { center, token } = await makeStage(running.app);
  const ctx = systemContext(running.app, 'test', center.id);
  const note = (target: string, fail = false) =>
    transact(ctx, async (work) => {
      work.audit({ type: 'center.updated', target });
      if (fail) throw new Error('no');
    });
  await Promise.allSettled(Array.from({ length: 30 }, (_, i) => note(`n${i}`, i % 3 === 0)));
  const entries = await listed(token);
  expect(entries).toHaveLength(21);
  const indexes = entries.map(({ chainIndex }: { chainIndex: number }) => chainIndex);
  expect(indexes.sort((a: number, b: number) => a - b)).toEqual(Array.from({ length: 21 }, (_, i) => i));
});

const guarded = [
  ['ledger_record', 'content'],
  ['ledger_node', 'hash'],
  ['checkpoint', 'note'],
  ['log_tile', 'root'],
  ['log_head', 'note'],
  ['log_cosignature', 'line'],
  ['signing_key_line', 'line'],
  ['audit_entry', 'type'],
  ['policy_version', 'name'],
  ['workflow_version', 'steps'],
  ['approval', 'content'],
] as const;

test.each(guarded)("the application's database role cannot change %s", async (table, column) => {
  const pool = running.app.db.declared('acrossTenants');
  await seedRow(table);
  for (const sql of [
    `UPDATE ${table} SET ${column} = ${column}`,
    `DELETE FROM ${table}`,
    `TRUNCATE ${table} CASCADE`,
  ]) {
    await expect(pool.query(sql), sql).rejects.toThrow(/append-only|only grows|permission denied/);
  }
});

test("the application's database role cannot rewind or delete a chain", async () => {
  const { center } = await makeStage(running.app);
  const pool = running.app.db.declared('acrossTenants');
  for (const sql of [
    `UPDATE ledger_chain SET size = size - 1 WHERE center_id = ${center.id}`,
    `UPDATE ledger_chain SET head_hash = NULL WHERE center_id = ${center.id}`,
    `UPDATE ledger_chain SET center_id = center_id + 1, size = size + 1 WHERE center_id = ${center.id}`,
    `DELETE FROM ledger_chain WHERE center_id = ${center.id}`,
    'TRUNCATE ledger_chain CASCADE',
  ]) {
    await expect(pool.query(sql), sql).rejects.toThrow(/append-only|only grows|permission denied/);
  }
});

/** Row triggers fire only if there are rows. */
async function seedRow(table: string): Promise<void> {
  const { superuser: pool } = running;
  const { center } = await makeStage(running.app);
  const inserts: Record<string, string> = {
    ledger_node: `INSERT INTO ledger_node (chain_id, level, index, hash) VALUES (1, 0, ${center.id}, 'x')`,
    checkpoint: `
      WITH k AS (
        INSERT INTO signing_key (id, name, public_key, private_key) VALUES ('k${center.id}', '', '', '') RETURNING id
      ) INSERT INTO checkpoint (id, chain_id, size, root_hash, head_hash, note, key_id, log_index)
        SELECT 'chk_' || c.id, c.id, 1, '', '', '', k.id, ${center.id} FROM ledger_chain c, k WHERE center_id = ${center.id}`,
    log_tile: `INSERT INTO log_tile (level, index, hashes, root) VALUES (0, ${center.id}, '', '')`,
    log_head: `INSERT INTO log_head (size, root_hash, note) VALUES (${center.id}, '', '')`,
    log_cosignature: `INSERT INTO log_cosignature (size, key_id, name, line, signed_at) VALUES (${center.id}, '', '', '', now())`,
    signing_key_line: `INSERT INTO signing_key_line (position, line) VALUES (${center.id}, '')`,
    workflow_version: `
      WITH w AS (
        INSERT INTO workflow (id, center_id, name, type, status, vertical, version)
        VALUES ('wf_${center.id}', ${center.id}, 'w', 'MANUAL', 'ACTIVE', 'education', 1) RETURNING id
      ) INSERT INTO workflow_version (workflow_id, version, steps) SELECT id, 1, '[]' FROM w`,
    approval: `
      WITH e AS (
        INSERT INTO decision_event (id, center_id, evidence_id, dpu_id, content, salts, content_hash, journal_index)
        VALUES ('evt_${center.id}', ${center.id}, 'evd_${center.id}', 'dpu_${center.id}',
                '{"type": "custom", "actor": {"type": "human"}, "action": {"type": "x"}}', '{}', '', 0)
        RETURNING id
      ) INSERT INTO approval (id, center_id, event_id, content, salts, content_hash)
        SELECT 'apr_${center.id}', ${center.id}, id, '{"result": "approved"}', '{}', '' FROM e`,
  };
  if (inserts[table]) await pool.query(inserts[table]);
}

test('an ADMIN can subscribe to the audit log of their own center only', async () => {
  const [mine, other] = [await makeStage(running.app), await makeStage(running.app)];
  const next = await watch(running, 'subscription { auditEntries { type target detail } }', mine.token);
  const make = (name: string) =>
    `mutation { createApiKey(input: { name: "${name}", scopes: ["proof:read"] }) { apiKey { id } } }`;
  await running.graphql(make('theirs'), {}, other.token);
  const { data } = await running.graphql(make('mine'), {}, mine.token);
  // Earlier changes may still be on their way to subscribers.
  const seen: { type: string; target: string; detail: { name?: string } }[] = [];
  while (!seen.some(({ detail }) => detail.name === 'mine')) {
    seen.push(...(await next()).data.auditEntries);
  }
  expect(seen.map(({ detail }) => detail.name)).not.toContain('theirs');
  expect(seen.at(-1)).toEqual({
    type: 'api_key.changed',
    target: data.createApiKey.apiKey.id,
    detail: { change: 'created', name: 'mine', scopes: ['proof:read'] },
  });
  const instructor = await makeMember(running.app, mine.center.id, 'INSTRUCTOR');
  const refused = await running.graphql('subscription { auditEntries { id } }', {}, instructor.token);
  expect(refused.errors![0]!.extensions.code).toBe('INSUFFICIENT_ROLE');
});
