import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp, testApp } from '../helpers/app.ts';
import { runAs } from '../helpers/server.ts';
import { makeCenter } from '../helpers/world.ts';

let running: TestApp;

beforeAll(async () => {
  running = await startTestApp();
  const { app } = running;
  const centers = [
    ['Physio Mitte', 'physio-mitte', 'rehabilitation', 'Walking again after an accident'],
    ['Berlin Rehabilitation Center', 'berlin-rehab', 'rehabilitation', ''],
    ['Berlin Language School', 'berlin-school', 'education', 'Courses in the evening'],
    ['Sunrise Pharmacy', 'sunrise', 'pharmacy', 'Near the Berlin zoo'],
    ['서울 재활 센터', 'seoul', 'rehabilitation', ''],
    ['Центр Москва', 'moskva', 'welfare', ''],
    ['Κέντρο Αθήνα', 'athina', 'welfare', ''],
    ['100% Möbel_Werk', 'moebel', 'interior', ''],
  ] as const;
  for (const [name, domain, vertical, description] of centers) {
    const { id } = await makeCenter(app, { name, domain, vertical });
    await app.db.acrossTenants.center.update({ where: { id }, data: { description } });
  }
  await makeCenter(app, { name: 'Berlin Closed', domain: 'closed', status: 'SUSPENDED' });
  await makeCenter(app, { name: 'Berlin Gone', domain: 'gone', status: 'INACTIVE' });
});
afterAll(() => running.close());

const search = async (body: unknown) => running.call('POST', '/centers/search', { body });
const domains = async (body: unknown) =>
  (await search(body)).body.data.map((center: { centerDomain: string }) => center.centerDomain);

test.each([
  ['berlin', 'berlin-school'],
  ['Berlni', 'berlin-school'],
  ['rehabilitaton', 'berlin-rehab'],
  ['phsyio', 'physio-mitte'],
  ['pyhsio', 'physio-mitte'],
  ['sunrsie pharmcy', 'sunrise'],
  ['physio-mitte', 'physio-mitte'],
  ['재활', 'seoul'],
  ['센터 서울', 'seoul'],
  ['möbel', 'moebel'],
  ['МОСКВА', 'moskva'],
  ['москав', 'moskva'],
  ['цнетр москва', 'moskva'],
  ['ΚΈΝΤΡΟ αθήαν', 'athina'],
  ['100%', 'moebel'],
  ['bel_wer', 'moebel'],
  ['habilita', 'berlin-rehab'],
  ['accident', 'physio-mitte'],
])('%s finds %s', async (query, domain) => {
  expect(await domains({ query })).toContain(domain);
});

test('the best match comes first, and closed centers are never found', async () => {
  const found = await domains({ query: 'Berlin Rehabilitation Center' });
  expect(found[0]).toBe('berlin-rehab');
  const named = await domains({ query: 'berlin' });
  expect(named.slice(0, 2).sort()).toEqual(['berlin-rehab', 'berlin-school']);
  expect(named).toContain('sunrise');
  expect(named).not.toContain('closed');
  expect(named).not.toContain('gone');
});

test('a correctly typed search finds close matches only', async () => {
  expect(await domains({ query: 'pharmacy' })).toEqual(['sunrise']);
});

test('a query that matches nothing returns nothing', async () => {
  for (const query of ['zzzzqqqq', '!!!', '%%%', '___', '%', '_'])
    expect(await domains({ query }), query).toEqual([]);
});

test('words match in any order, and one of them may be wrong', async () => {
  expect(await domains({ query: 'school berlin' })).toEqual(['berlin-school']);
  expect(await domains({ query: 'langauge berlni' })).toEqual(['berlin-school']);
  expect(await domains({ query: 'mitte zzzzqqqq' })).toEqual(['physio-mitte']);
  expect((await domains({ query: 'pharmacy language' })).sort()).toEqual(['berlin-school', 'sunrise']);
});

test('a renamed center is found by its new name only', async () => {
  const { app } = running;
  const { id } = await makeCenter(app, { name: 'Quince Garden', domain: 'quince' });
  expect(await domains({ query: 'garden' })).toEqual(['quince']);
  await app.db.acrossTenants.center.update({ where: { id }, data: { name: 'Quince Orchard' } });
  expect(await domains({ query: 'orchrad' })).toEqual(['quince']);
  expect(await domains({ query: 'garden' })).toEqual([]);
  await app.db.acrossTenants.center.update({ where: { id }, data: { status: 'INACTIVE' } });
  expect(await domains({ query: 'orchard' })).toEqual([]);
});

test('results contain public information only and are paged', async () => {
  const { status, body } = await search({ query: 'berlin', vertical: 'education' });
  expect(status).toBe(200);
  expect(body).toEqual({
    success: true,
    data: [
      {
        name: 'Berlin Language School',
        centerDomain: 'berlin-school',
        vertical: 'education',
        description: 'Courses in the evening',
        logo: '',
      },
    ],
    pagination: { page: 1, limit: 50, total: 1, totalPages: 1, hasMore: false },
    meta: { page: 1, total: 1 },
  });
});

test('without a query all open centers are listed by name', async () => {
  const all = [
    'moebel',
    'berlin-school',
    'berlin-rehab',
    'physio-mitte',
    'sunrise',
    'athina',
    'moskva',
    'seoul',
  ];
  for (const body of [undefined, {}, { query: '  ' }, { query: null, vertical: null }]) {
    expect(await domains(body)).toEqual(all);
  }
  const second = await search({ page: 2, limit: 4 });
  expect(second.body.pagination).toEqual({ page: 2, limit: 4, total: 8, totalPages: 2, hasMore: false });
  expect(second.body.data).toHaveLength(4);
  expect((await search({ limit: 500 })).body.pagination.limit).toBe(100);
  expect(await domains({ query: 'b' })).toEqual(['berlin-school', 'berlin-rehab']);
  expect(await domains({ query: 'p' })).toEqual(['physio-mitte']);
  expect((await search({ page: 9 })).body).toMatchObject({ data: [], pagination: { total: 8, page: 9 } });
});

test.each([
  { page: 0 },
  { page: -1 },
  { page: 1.5 },
  { page: '1' },
  { page: 1e300 },
  { limit: 0 },
  { limit: 'ten' },
  { vertical: 'banking' },
  { query: 7 },
  { query: 'a\0b' },
  { query: 'x'.repeat(201) },
])('%j is rejected', async (body) => {
  const { status, body: answer } = await search(body);
  expect([status, answer.error.code]).toEqual([400, 'VALIDATION_ERROR']);
});

test('search and list by name both use an index', async () => {
  const { adminUrl } = running.database;
  await runAs(
    adminUrl,
    `INSERT INTO center (name, center_domain, vertical, description)
     SELECT md5(i::text) || ' ' || md5((i * 7)::text), 'bulk-' || i, 'commerce', md5((-i)::text)
     FROM generate_series(1, 5000) i`,
  );
  await runAs(adminUrl, 'VACUUM ANALYZE center, center_word');
  const { plans, call } = await explainingApp();

  await call('POST', '/centers/search', { body: { query: 'Berlni' } });
  const searches = plans.filter((plan) => plan.includes('w.word = ANY'));
  expect(searches.length).toBeGreaterThan(0);
  for (const plan of searches) {
    expect(plan).toMatch(/Index (Only )?Scan using center_word_pkey|Bitmap Index Scan on center_word_pkey/);
    expect(plan).not.toContain('Seq Scan');
  }
  for (const body of [{ limit: 10 }, { query: 'be', limit: 10 }]) {
    plans.length = 0;
    await call('POST', '/centers/search', { body });
    expect(plans.find((plan) => plan.includes('LIMIT'))).toMatch(/Index Scan (using|on) center_by_name_idx/);
  }
});

/** Another process on the same database, to which PostgreSQL reports the plan of each statement. */
async function explainingApp() {
  const { database } = running;
  const name = new URL(database.url).pathname.slice(1);
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_level': 'notice',
  };
  for (const [setting, value] of Object.entries(settings)) {
    await runAs(database.adminUrl, `ALTER DATABASE ${name} SET ${setting} = '${value}'`);
  }
  const explaining = await testApp({ database });
  const plans: string[] = [];
  explaining.app.db.pool.on('connect', (client) => {
    client.on('notice', ({ message }) => void plans.push(message ?? ''));
  });
  return { ...explaining, plans };
}
