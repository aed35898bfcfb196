import { expect, test } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { makeKey } from '../helpers/world.ts';
import { entraUser, GROUP, makeDirectory, patch, scimStage, USER } from './scim-stage.ts';

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

test('every failure has the error form of SCIM', async () => {
  const { scim, url, key, token } = await scimStage();
  const user = (await scim('POST', '/Users', entraUser('ada'))).body.id;
  const large = JSON.stringify({ userName: 'x'.repeat(1_100_000) });
  const failures: [
    number,
    Promise<{ status: number; headers: Headers; body: { [name: string]: unknown } }>,
  ][] = [
    [400, scim('POST', '/Users', '{"userName":')],
    [400, scim('POST', '/Users', '[]')],
    [400, scim('POST', '/Users', 'null')],
    [400, scim('POST', '/Users', '')],
    [400, scim('GET', '/Users?filter=userName')],
    [400, scim('GET', `/Users?filter=${encodeURIComponent('userName eq "\\u0000"')}`)],
    [400, scim('GET', '/Users?count=many')],
    [401, scim('GET', '/Users', undefined, { token: null })],
    [401, scim('GET', '/ServiceProviderConfig', undefined, { token: null })],
    [401, scim('GET', '/nowhere', undefined, { token: 'scim_wrong' })],
    [401, scim('GET', '/Users', undefined, { token: key })],
    [401, scim('GET', '/Users', undefined, { token })],
    [401, scim('GET', '/Users', undefined, { token: null, headers: { cookie: `auth_token=${token}` } })],
    [404, scim('GET', '/Users/mbr_none')],
    [404, scim('GET', '/Users/%00')],
    [404, scim('GET', '/Users/%E0%A4%A')],
    [404, scim('GET', '/nowhere')],
    [404, scim('GET', '/__proto__')],
    [404, scim('GET', '/Users/a/b')],
    [404, scim('GET', '/Schemas/urn:none')],
    [405, scim('PUT', '/Users', {})],
    [405, scim('POST', `/Users/${user}`, {})],
    [405, scim('DELETE', '/Schemas')],
    [
      412,
      scim('PATCH', `/Users/${user}`, patch({ op: 'replace', path: 'active', value: false }), {
        headers: { 'if-match': 'W/"other"' },
      }),
    ],
    [413, scim('POST', '/Users', large)],
    [415, scim('POST', '/Users', '{}', { headers: { 'content-type': 'text/plain' } })],
    [501, scim('POST', '/Bulk', {})],
    [501, scim('GET', '/Me')],
    [501, scim('POST', '/.search', {})],
    [501, scim('POST', '/Users/.search', {})],
  ];
  for (const [at, [expected, failure]] of failures.entries()) {
    const { status, headers, body } = await failure;
    expect({ at, status, body }).toMatchObject({
      at,
      status: expected,
      body: { schemas: [ERROR], status: String(expected) },
    });
    expect(typeof body['detail']).toBe('string');
    expect(headers.get('content-type')).toContain('application/scim+json');
  }
  const elsewhere = await fetch(`${url}/scim/v3`);
  expect(((await elsewhere.json()) as { schemas: string[] }).schemas).toEqual([ERROR]);
  expect((await scim('PUT', '/Users', {})).headers.get('allow')).toBe('GET, POST');
});

test('a SCIM token opens nothing else, and a suspended center is closed to it', async () => {
  const { app, center, scim, scimToken, call, graphql } = await scimStage();
  expect((await call('GET', '/v1/decision-events', { token: scimToken })).status).toBe(401);
  expect((await call('GET', '/auth/me', { token: scimToken })).status).toBe(401);
  expect((await graphql('{ me { name } }', {}, scimToken)).errors![0]!.extensions.code).toBe('UNAUTHORIZED');
  expect((await scim('GET', '/Users')).status).toBe(200);
  const update = (status: 'SUSPENDED' | 'INACTIVE') =>
    app.db.acrossTenants.center.update({ where: { id: center.id }, data: { status } });
  await update('SUSPENDED');
  expect((await scim('GET', '/Users')).status).toBe(403);
  await update('INACTIVE');
  expect((await scim('GET', '/Users')).status).toBe(401);
  expect(await makeKey(app, center.id)).toMatch(/^csk_/);
});

test('a directory has a rate limit of its own', async () => {
  const { scim, call, key } = await scimStage(await testApp({ env: { RATE_SCIM: '3', RATE_CENTER: '2' } }));
  for (let at = 0; at < 3; at++) expect((await scim('GET', '/Users')).status).toBe(200);
  const { status, headers, body } = await scim('GET', '/Users');
  expect({ status, body }).toMatchObject({ status: 429, body: { schemas: [ERROR], status: '429' } });
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(headers.get('x-ratelimit-limit')).toBe('3');
  expect((await call('GET', '/v1/decision-events', { token: key })).status).toBe(200);
});

test('lists are paged, and parameters have their limits', async () => {
  const { scim, admin } = await scimStage();
  const ids = [admin.membership.id];
  for (const name of ['ada', 'bob', 'eve']) ids.push((await scim('POST', '/Users', entraUser(name))).body.id);
  const list = async (query: string) => {
    const { body } = await scim('GET', `/Users?${query}`);
    return { ...body, ids: body.Resources.map((each: { id: string }) => each.id) };
  };
  expect(await list('')).toMatchObject({ totalResults: 4, startIndex: 1, itemsPerPage: 4, ids });
  expect(await list('startIndex=2&count=2')).toMatchObject({
    totalResults: 4,
    startIndex: 2,
    ids: ids.slice(1, 3),
  });
  expect(await list('startIndex=-5&count=1')).toMatchObject({ startIndex: 1, ids: ids.slice(0, 1) });
  expect(await list('count=0')).toMatchObject({ totalResults: 4, itemsPerPage: 0, ids: [] });
  expect(await list('count=-1')).toMatchObject({ itemsPerPage: 0, ids: [] });
  expect(await list('startIndex=5&count=999&sortBy=x&unknown=1')).toMatchObject({ totalResults: 4, ids: [] });
});

test('a response shows the attributes that the directory asks for', async () => {
  const { scim } = await scimStage();
  const { id } = (await scim('POST', '/Users', entraUser('ada'))).body;
  const read = async (query: string) => (await scim('GET', `/Users/${id}?${query}`)).body;
  expect(await read('attributes=userName,NAME.familyName,emails.value')).toEqual({
    schemas: [USER],
    id,
    userName: 'ada@contoso.test',
    name: { familyName: 'Contoso' },
    emails: [{ value: 'ada@contoso.test' }],
  });
  const without = await read(
    'excludedAttributes=emails,name.givenName,id,urn:ietf:params:scim:schemas:core:2.0:User:displayName',
  );
  expect(without).toMatchObject({ id, userName: 'ada@contoso.test', name: { familyName: 'Contoso' } });
  for (const attribute of ['emails', 'displayName']) expect(without).not.toHaveProperty(attribute);
  expect(without.name).not.toHaveProperty('givenName');
});

test('weak ETags save reading and prevent lost changes', async () => {
  const { scim } = await scimStage();
  for (const [path, body] of [
    ['/Users', entraUser('ada')],
    ['/Groups', { schemas: [GROUP], displayName: 'Finance' }],
  ] as const) {
    const created = await scim('POST', path, body);
    const etag = created.headers.get('etag')!;
    expect(etag).toMatch(/^W\/".+"$/);
    expect(created.body.meta.version).toBe(etag);
    const one = `${path}/${created.body.id}`;
    const unchanged = await scim('GET', one, undefined, { headers: { 'if-none-match': etag } });
    expect([unchanged.status, unchanged.body]).toEqual([304, null]);
    const rename = patch({ op: 'replace', path: 'displayName', value: 'New' });
    const headers = { 'if-match': etag };
    expect((await scim('PATCH', one, rename, { headers })).status).toBeLessThan(300);
    expect((await scim('PATCH', one, rename, { headers })).status).toBe(412);
    expect((await scim('DELETE', one, undefined, { headers })).status).toBe(412);
    expect((await scim('GET', one, undefined, { headers: { 'if-none-match': etag } })).status).toBe(200);
    expect((await scim('DELETE', one, undefined, { headers: { 'if-match': '*' } })).status).toBe(204);
  }
});

test('the service describes itself', async () => {
  const { scim, config } = await scimStage();
  const { body } = await scim('GET', '/ServiceProviderConfig');
  expect(body).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
    etag: { supported: true },
    filter: { maxResults: 200 },
  });
  const types = await scim('GET', '/ResourceTypes');
  expect(types.body.Resources.map((each: { endpoint: string }) => each.endpoint)).toEqual([
    '/Users',
    '/Groups',
  ]);
  const schemas = await scim('GET', '/Schemas');
  expect(schemas.body.Resources.map((each: { id: string }) => each.id)).toEqual([USER, GROUP]);
  for (const path of ['/ResourceTypes/User', `/Schemas/${GROUP}`]) {
    const one = await scim('GET', path);
    expect(one).toMatchObject({
      status: 200,
      body: { meta: { location: `${config.publicUrl}/scim/v2${path}` } },
    });
  }
});

test('both JSON content types are accepted', async () => {
  const { scim, url, scimToken } = await scimStage();
  for (const [at, type] of ['application/json', 'application/scim+json; charset=utf-8'].entries()) {
    const { status } = await scim('POST', '/Users', entraUser(`ada${at}`), {
      headers: { 'content-type': type },
    });
    expect(status).toBe(201);
  }
  expect((await makeDirectory(url, scimToken)('GET', '/Users/')).status).toBe(200);
});
