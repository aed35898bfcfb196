import { afterAll, beforeAll, expect, test } from 'vitest';
import { foldTallies } from '../../src/domain/tallies/tally.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { statementsOf } from '../helpers/explained.ts';
import { inOneDay } from '../helpers/same-day.ts';
import { makePartner } from '../helpers/world.ts';

/** The tables that grow with usage, which are large here. */
const LARGE = ['center', 'membership', 'actor', 'audit_entry', 'subscription', 'payment'];
const CENTERS = 12_000;

let running: TestApp;
let token: string;

/** Twelve thousand centers of three partners, each with a member, an audit entry and a payment. */
beforeAll(async () => {
  // A month may end with the day.
  await inOneDay('UTC', 60);
  running = await startTestApp({ reportsPlans: true });
  const { superuser: pool } = running;
  const partners = [];
  for (let i = 0; i < 3; i++) partners.push(await makePartner(running.app, 'PARTNER_ADMIN', 0));
  token = partners[0]!.token;
  const ids = partners.map(({ partner }) => partner.id);
  await pool.query(
    `INSERT INTO center (id, partner_id, name, center_domain, vertical)
     SELECT n, ($1::text[])[1 + n % 3], 'Center number ' || n, 'bulk-' || n, 'education'
     FROM generate_series(1001, 1000 + $2::int) n`,
    [ids, CENTERS],
  );
  await pool.query(`INSERT INTO actor (id, name, email)
    SELECT gen_random_uuid(), 'Person ' || n, 'bulk-' || n || '@example.test'
    FROM generate_series(1, ${CENTERS}) n`);
  await pool.query(`INSERT INTO membership (id, center_id, actor_id, role, status)
    SELECT 'mbr_' || lpad(n::text, 26, '0'), 1000 + n, id, 'ADMIN', 'ACTIVE'
    FROM (SELECT id, row_number() OVER () AS n FROM actor WHERE email LIKE 'bulk-%') a`);
  await pool.query(`INSERT INTO subscription
      (id, center_id, plan_id, status, seat_limit, current_period_start, current_period_end)
    SELECT 'sub_' || id, id, 'center-starter', 'ACTIVE', 10, now(), now() + interval '1 month'
    FROM center WHERE id > 1000`);
  await pool.query(`INSERT INTO payment
      (id, center_id, subscription_id, status, amount, currency, reference, occurred_at)
    SELECT 'pay_' || lpad(id::text, 26, '0'), id, 'sub_' || id, 'COMPLETED', 100, 'EUR', 'r', now()
    FROM center WHERE id > 1000`);
  const chain = (await pool.query(`SELECT ledger_chain_for(NULL, 'audit') AS id`)).rows[0].id;
  await pool.query(
    `INSERT INTO audit_entry (id, center_id, partner_id, chain_id, index, type, occurred_at)
     SELECT 'aud_' || lpad(id::text, 26, '0'), id, partner_id, $1, id, 'center.created',
            now() - (id % 100) * interval '1 day'
     FROM center WHERE id > 1000`,
    [chain],
  );
  while ((await foldTallies(pool)) > 0);
  await pool.query('VACUUM ANALYZE');
}, 120_000);

afterAll(() => running.close());

const get = (path: string) => running.call('GET', path, { token });
const graphql = (query: string) => running.graphql(query, {}, token);
const middle = new Date(Date.now() - 50 * 86_400_000).toISOString().slice(0, 10);

test.each<[string, () => Promise<unknown>]>([
  ['the first page of centers', () => get('/partner/centers')],
  ['a page deep in the centers', () => get('/partner/centers?page=150')],
  ['a search that finds few', () => get('/partner/centers?search=number%2012777')],
  ['a search by domain', () => get('/partner/centers?search=bulk-12424')],
  ['one center', () => get('/partner/centers/1002')],
  ['the first page of members', () => get('/partner/members')],
  ['a page deep in the members', () => get('/partner/members?page=150')],
  ['the newest audit entries', () => get('/partner/audit')],
  ['audit entries of a day', () => get(`/partner/audit?startDate=${middle}&endDate=${middle}`)],
  ['the dashboard', () => get('/partner/stats/dashboard')],
  [
    'a connection of centers',
    () =>
      graphql(
        '{ partnerCenters(first: 50, after: "6000") { totalCount edges { node { id memberCount } } } }',
      ),
  ],
  [
    'a connection of members',
    () => graphql('{ partnerMembers(last: 50) { totalCount edges { node { id name } } } }'),
  ],
  [
    'a connection of audit entries',
    () => graphql('{ partnerAudit(first: 50) { totalCount edges { cursor } } }'),
  ],
  ['a connection of payments', () => graphql('{ partnerPayments(first: 50) { edges { cursor } } }')],
])('%s does not scan a large table sequentially', async (_, run) => {
  const statements = await statementsOf(running.app, async () => {
    const answer = (await run()) as { status: number; errors?: unknown };
    expect([answer.status, answer.errors]).toEqual([200, undefined]);
  });
  expect(statements.length).toBeGreaterThan(0);
  for (const statement of statements) {
    const scans = statement.scans.filter((table) => LARGE.includes(table));
    expect(scans, statement.text).toEqual([]);
  }
});

test('totals are exact', async () => {
  const { rows } = await running.app.db
    .declared('acrossTenants')
    .query(
      `SELECT count(*)::int AS n FROM center WHERE partner_id = (SELECT partner_id FROM center WHERE id = 1002)`,
    );
  const own = rows[0]!['n'];
  expect((await get('/partner/centers')).body.pagination.total).toBe(own);
  expect((await get('/partner/members')).body.pagination.total).toBe(own);
  expect((await get('/partner/audit')).body.pagination.total).toBe(own);
  expect((await get('/partner/stats/dashboard')).body.data).toMatchObject({
    totalCenters: own,
    totalMembers: own,
    revenue: { monthToDate: own * 100, recurringMonthly: own * 2_900 },
  });
});
