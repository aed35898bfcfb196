import { expect, test } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { makeMember, makeStage } from '../helpers/world.ts';
import { makeDirectory } from './scim-stage.ts';

const CREATE = /* GraphQL */ `
  mutation ($input: CreateScimTokenInput!) {
    createScimToken(input: $input) { plaintext scimToken { id name createdAt expiresAt lastUsedAt } } }`;
const ROTATE = /* GraphQL */ `
  mutation ($input: RotateScimTokenInput!) {
    rotateScimToken(input: $input) { plaintext scimToken { id name expiresAt } previous { id expiresAt } } }`;
const REVOKE = /* GraphQL */ `mutation ($id: ID!) { revokeScimToken(input: { id: $id }) { id } }`;
const LIST = /* GraphQL */ `{ scimTokens { id name createdAt expiresAt lastUsedAt } }`;

test('an ADMIN creates, uses, rotates and revokes a token', async () => {
  const { app, graphql, url } = await testApp();
  const { center, token } = await makeStage(app);
  const made = (await graphql(CREATE, { input: { name: 'Entra ID' } }, token)).data.createScimToken;
  expect(made.plaintext).toMatch(/^scim_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}$/);
  expect(made.scimToken).toMatchObject({ name: 'Entra ID', expiresAt: null, lastUsedAt: null });
  const { id } = made.scimToken;
  expect(id).toMatch(/^scm_/);
  const works = async (plaintext: string) =>
    (await makeDirectory(url, plaintext)('GET', '/Users?count=0')).status;
  expect(await works(made.plaintext)).toBe(200);
  expect((await graphql(LIST, {}, token)).data.scimTokens).toMatchObject([
    { id, lastUsedAt: expect.any(String) },
  ]);

  const rotated = (await graphql(ROTATE, { input: { id } }, token)).data.rotateScimToken;
  expect(rotated.previous.id).toBe(id);
  const hoursLeft = (Date.parse(rotated.previous.expiresAt) - Date.now()) / 3_600_000;
  expect(hoursLeft).toBeGreaterThan(23);
  expect(await Promise.all([works(made.plaintext), works(rotated.plaintext)])).toEqual([200, 200]);
  const atOnce = (await graphql(ROTATE, { input: { id: rotated.scimToken.id, overlapHours: 0 } }, token)).data
    .rotateScimToken;
  expect(await Promise.all([works(rotated.plaintext), works(atOnce.plaintext)])).toEqual([401, 200]);
  expect(
    (await graphql(ROTATE, { input: { id: rotated.scimToken.id } }, token)).errors![0]!.extensions.code,
  ).toBe('CONFLICT');

  await graphql(REVOKE, { id: atOnce.scimToken.id }, token);
  expect(await works(atOnce.plaintext)).toBe(401);
  expect((await graphql(REVOKE, { id: atOnce.scimToken.id }, token)).errors).toBeUndefined();

  const rows = JSON.stringify(await app.db.forCenter(center.id).scimToken.findMany());
  expect(rows).not.toContain(made.plaintext);
  const audits = await app.db.forCenter(center.id).auditEntry.findMany({
    where: { type: 'api_key.changed', target: { startsWith: 'scm_' } },
    orderBy: { id: 'asc' },
  });
  expect(audits.map(({ detail }) => (detail as { change: string }).change).sort()).toEqual([
    'created',
    'revoked',
    'rotated',
    'rotated',
  ]);
});

test('a center has at most five tokens, also when they are created at once', async () => {
  const { app, graphql } = await testApp();
  const { token } = await makeStage(app);
  const results = await Promise.all(
    Array.from({ length: 7 }, (_, at) => graphql(CREATE, { input: { name: `T${at}` } }, token)),
  );
  const codes = results.map(({ errors }) => errors?.[0]?.extensions.code ?? 'created');
  expect(codes.filter((code) => code === 'created')).toHaveLength(5);
  expect(codes.filter((code) => code === 'CONFLICT')).toHaveLength(2);
  const past = await graphql(CREATE, { input: { name: 'x', expiresAt: '2020-01-01T00:00:00Z' } }, token);
  expect(past.errors![0]!.extensions.code).toBe('VALIDATION_ERROR');
});

test('only an ADMIN of the center with a fresh proof changes tokens', async () => {
  const { app, graphql } = await testApp();
  const { center, admin, token } = await makeStage(app);
  const { id } = (await graphql(CREATE, { input: { name: 'Okta' } }, token)).data.createScimToken.scimToken;
  const calls = [
    [CREATE, { input: { name: 'x' } }],
    [ROTATE, { input: { id } }],
    [REVOKE, { id }],
  ] as const;
  const other = await makeStage(app);
  const parent = await makeMember(app, center.id, 'PARENT');
  for (const [query, variables] of calls) {
    expect((await graphql(query, variables, parent.token)).errors![0]!.extensions.code).toBe(
      'INSUFFICIENT_ROLE',
    );
    expect((await graphql(query, variables)).errors![0]!.extensions.code).toBe('UNAUTHORIZED');
    if (query !== CREATE)
      expect((await graphql(query, variables, other.token)).errors![0]!.extensions.code).toBe('NOT_FOUND');
  }
  expect((await graphql(LIST, {}, parent.token)).errors![0]!.extensions.code).toBe('INSUFFICIENT_ROLE');
  expect((await graphql(LIST, {}, other.token)).data.scimTokens).toEqual([]);
  await app.db.acrossTenants.session.updateMany({
    where: { actorId: admin.actor.id },
    data: { provenAt: new Date(Date.now() - 600_000) },
  });
  for (const [query, variables] of calls)
    expect((await graphql(query, variables, token)).errors![0]!.extensions.code).toBe(
      'REAUTHENTICATION_REQUIRED',
    );
});
