import type { Pool } from 'pg';
import { makeClient } from '../helpers/client.ts';
import type { Ledger, Tenant } from './load.ts';

/** All guarantees that must hold once everything has settled, whatever was killed or paused. Returns the violations. */
export async function violations(
  superuser: Pool,
  api: string,
  tenants: Tenant[],
  ledger: Ledger,
  delivered: ReadonlySet<string>,
): Promise<string[]> {
  const found: string[] = [...ledger.surprises];
  const expectNone = async (what: string, sql: string, values: unknown[] = []) => {
    const { rows } = await superuser.query(sql, values);
    if (rows.length > 0) found.push(`${what}: ${JSON.stringify(rows.slice(0, 5))} (${rows.length})`);
  };

  await acknowledged(superuser, ledger, found);
  await expectNone(
    'a decision recorded twice',
    `SELECT tags FROM decision_event GROUP BY tags HAVING count(*) > 1`,
  );
  await expectNone(
    'a decision that is not listed, or not counted once, under its tag',
    `SELECT e.id, tag FROM decision_event e, unnest(e.tags) tag
     WHERE NOT EXISTS (
         SELECT FROM decision_event_tag t WHERE t.center_id = e.center_id AND t.tag = tag.tag AND t.event_id = e.id)
       OR 1 <> (SELECT sum(n) FROM (SELECT key, total AS n FROM tally UNION ALL SELECT key, delta FROM tally_delta) c
                WHERE c.key = tag_tally(e.center_id, tag.tag))`,
  );
  await expectNone(
    'a sealed decision without its one approval, record, journal entry and audit entry',
    `SELECT e.id FROM decision_event e
     WHERE e.status = 'sealed' AND NOT (
       (SELECT count(*) = 1 FROM approval a WHERE a.event_id = e.id)
       AND (SELECT count(*) = 1 FROM dpu d WHERE d.id = e.dpu_id AND d.evidence_level = 'AUDIT_READY')
       AND (SELECT count(*) = 1 FROM audit_entry u WHERE u.type = 'decision.sealed' AND u.target = e.id))`,
  );
  await expectNone(
    'a decision that is not on the journal once',
    `SELECT e.id FROM decision_event e
     WHERE (SELECT count(*) FROM ledger_record r JOIN ledger_chain c ON c.id = r.chain_id
            WHERE c.center_id = e.center_id AND c.domain = 'journal' AND r.index = e.journal_index
              AND r.content LIKE '%' || e.id || '%') <> 1`,
  );
  await expectNone(
    'a delivery that did not arrive',
    `SELECT webhook_id, event_id, status FROM delivery WHERE status <> 'success' OR next_attempt_at IS NOT NULL`,
  );
  await expectNone(
    'an event without its delivery',
    `SELECT e.id, e.type FROM platform_event e JOIN webhook w ON w.center_id = e.center_id
     WHERE NOT EXISTS (SELECT FROM delivery d WHERE d.event_id = e.id AND d.webhook_id = w.id)
       AND e.created_at > w.created_at`,
  );
  const { rows: sent } = await superuser.query<{ event_id: string }>('SELECT event_id FROM delivery');
  const missing = sent.filter(({ event_id }) => !delivered.has(event_id));
  if (missing.length > 0) found.push(`said to be delivered and never received: ${missing.length}`);
  await expectNone(
    'a run that did not end, or not in one record',
    `SELECT x.id, x.status FROM workflow_execution x
     WHERE x.status <> 'COMPLETED' OR (SELECT count(*) FROM dpu d WHERE d.reference_id = x.id) <> 1`,
  );
  for (const id of ledger.streamed) {
    await expectNone(
      'a stream told of what is not there',
      'SELECT $1 AS id WHERE NOT EXISTS (SELECT FROM decision_event WHERE id = $1)',
      [id],
    );
  }
  for (const tenant of tenants) await checkTenant(superuser, api, tenant, found);
  return found;
}

/** Everything acknowledged exists in the acknowledged state. */
async function acknowledged(superuser: Pool, ledger: Ledger, found: string[]): Promise<void> {
  const { rows } = await superuser.query<{ id: string; tags: string[]; status: string }>(
    'SELECT id, tags, status FROM decision_event',
  );
  const byKey = new Map(rows.map((row) => [row.tags[0]!, row]));
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const [key, { eventId }] of ledger.recorded) {
    if (eventId !== null && byKey.get(key)?.id !== eventId) found.push(`acknowledged and gone: ${key}`);
  }
  for (const id of ledger.sealed.keys()) {
    if (byId.get(id)?.status !== 'sealed') found.push(`acknowledged and not sealed: ${id}`);
  }
  const runs = await superuser.query<{ id: string }>('SELECT id FROM workflow_execution');
  const known = new Set(runs.rows.map(({ id }) => id));
  const asked = [...ledger.executed.values()];
  for (const { executionId } of asked) {
    if (executionId !== null && !known.has(executionId))
      found.push(`acknowledged and not run: ${executionId}`);
  }
  if (known.size > asked.length) found.push(`${known.size} runs of ${asked.length} that were asked for`);
}

/** Chains and counters, as the center itself sees them. */
async function checkTenant(superuser: Pool, api: string, tenant: Tenant, found: string[]): Promise<void> {
  const client = makeClient(api);
  const chain = await client.call('GET', '/dpu/verify-chain', { token: tenant.token });
  if (chain.body.data?.valid !== true) found.push(`center ${tenant.centerId}: ${chain.text.slice(0, 500)}`);
  const list = await client.call('GET', '/v1/decision-events?limit=1', { token: tenant.key });
  const { rows } = await superuser.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM decision_event WHERE center_id = $1',
    [tenant.centerId],
  );
  const total = list.body.pagination?.total;
  if (total !== rows[0]!.count)
    found.push(`center ${tenant.centerId} counts ${total} of ${rows[0]!.count} decisions`);
  const stats = await client.call('GET', '/dpu/stats', { token: tenant.token });
  const dpus = await superuser.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM dpu WHERE center_id = $1',
    [tenant.centerId],
  );
  if (stats.body.data?.center?.total !== dpus.rows[0]!.count)
    found.push(
      `center ${tenant.centerId} counts ${stats.body.data?.center?.total} of ${dpus.rows[0]!.count} records`,
    );
}
