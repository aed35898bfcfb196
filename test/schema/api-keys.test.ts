import { expect, test } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { makeKey, makeMember, makeStage } from '../helpers/world.ts';

const CREATE = /* GraphQL */ `
  mutation ($input: CreateApiKeyInput!) {
    createApiKey(input: $input) { plaintext apiKey { id name scopes expiresAt revokedAt } }
  }`;
const REVOKE = /* GraphQL */ `mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { id revokedAt } }`;
const LIST = /* GraphQL */ `{ apiKeys(first: 10) { edges { node { id name } } } }`;

test('an ADMIN creates a key, lists it without its secret, and revokes it', async () => {
  const { app, graphql } = await testApp();
  const { token, center } = await makeStage(app);
  const input = { name: 'robot', scopes: ['proof:read'] };

  const { data } = await graphql(CREATE, { input }, token);
  expect(data.createApiKey.plaintext).toMatch(/^csk_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}$/);
  const { id } = data.createApiKey.apiKey;
  expect(id).toMatch(/^key_/);

  const kept = await app.db.acrossTenants.apiKey.findUniqueOrThrow({ where: { id } });
  expect(JSON.stringify(kept)).not.toContain(data.createApiKey.plaintext);
  const listed = await graphql(LIST, {}, token);
  expect(listed.data.apiKeys.edges.map((edge: { node: { id: string } }) => edge.node.id)).toContain(id);

  const revoked = await graphql(REVOKE, { id }, token);
  expect(revoked.data.revokeApiKey.revokedAt).not.toBeNull();
  const audits = await app.db.forCenter(center.id).auditEntry.findMany({ where: { target: id } });
  expect(audits.map((entry) => (entry.detail as { change: string }).change)).toEqual(['created', 'revoked']);
});

test('invalid input is rejected with the field', async () => {
  const { app, graphql } = await testApp();
  const { token } = await makeStage(app);
  const { errors } = await graphql(CREATE, { input: { name: '', scopes: ['everything'] } }, token);
  expect(errors![0]!.extensions.code).toBe('VALIDATION_ERROR');
  expect(JSON.stringify(errors![0]!.extensions.details)).toContain('name');
  const rated = async (ratePerMinute: number) =>
    (await graphql(CREATE, { input: { name: 'fast', scopes: ['proof:read'], ratePerMinute } }, token)).errors;
  expect(await rated(6_000)).toBeUndefined();
  expect((await rated(6_001))![0]!.extensions.code).toBe('VALIDATION_ERROR');
});

test('other roles and other centers are rejected', async () => {
  const { app, graphql } = await testApp();
  const { center, token } = await makeStage(app);
  const other = await makeStage(app);
  const { data } = await graphql(CREATE, { input: { name: 'mine', scopes: ['proof:read'] } }, token);
  const { id } = data.createApiKey.apiKey;

  const instructor = await makeMember(app, center.id, 'INSTRUCTOR');
  expect((await graphql(LIST, {}, instructor.token)).errors![0]!.extensions.code).toBe('INSUFFICIENT_ROLE');
  expect((await graphql(REVOKE, { id }, other.token)).errors![0]!.extensions.code).toBe('NOT_FOUND');
  expect(
    (await graphql(`query ($id: ID!) { node(id: $id) { id } }`, { id }, other.token)).data.node,
  ).toBeNull();
  expect((await graphql(`query ($id: ID!) { node(id: $id) { id } }`, { id }, token)).data.node.id).toBe(id);
  expect((await graphql(LIST)).errors![0]!.extensions.code).toBe('UNAUTHORIZED');
});

test('a key of any scope describes itself, and people and strangers are refused', async () => {
  const { app, graphql } = await testApp();
  const { center, token } = await makeStage(app);
  const CURRENT =
    '{ currentApiKey { id name scopes publicId expiresAt ratePerMinute centerDomain centerName } }';
  for (const scope of ['proof:read', 'proof:write', 'proof:request'] as const) {
    const key = await makeKey(app, center.id, [scope]);
    const { data } = await graphql(CURRENT, {}, key);
    expect(data.currentApiKey).toMatchObject({
      publicId: key.slice(4, 12),
      scopes: [scope],
      centerDomain: center.centerDomain,
    });
  }
  expect((await graphql(CURRENT, {}, token)).errors![0]!.extensions.code).toBe('INSUFFICIENT_ROLE');
  expect((await graphql(CURRENT)).errors![0]!.extensions.code).toBe('UNAUTHORIZED');
});

const ROTATE = /* GraphQL */ `
  mutation ($input: RotateApiKeyInput!) {
    rotateApiKey(input: $input) {
      plaintext
      apiKey { id name scopes ratePerMinute expiresAt }
      previous { id expiresAt revokedAt }
    }
  }`;

test('a key is rotated: both work during the overlap, then only the new one', async () => {
  const { app, call, graphql } = await testApp();
  const { token, center } = await makeStage(app);
  const input = { name: 'robot', scopes: ['proof:read'], ratePerMinute: 77 };
  const { createApiKey: made } = (await graphql(CREATE, { input }, token)).data;
  const works = async (key: string) => (await call('GET', '/v1/decision-events', { token: key })).status;

  const { data } = await graphql(ROTATE, { input: { id: made.apiKey.id } }, token);
  const { apiKey, previous, plaintext } = data.rotateApiKey;
  expect(apiKey).toMatchObject({ name: 'robot', scopes: ['proof:read'], ratePerMinute: 77, expiresAt: null });
  const hoursLeft = (Date.parse(previous.expiresAt) - Date.now()) / 3_600_000;
  expect(hoursLeft).toBeGreaterThan(23);
  expect(hoursLeft).toBeLessThan(24.1);
  expect(await Promise.all([works(made.plaintext), works(plaintext)])).toEqual([200, 200]);

  const at0 = await graphql(ROTATE, { input: { id: apiKey.id, overlapHours: 0 } }, token);
  expect(at0.data.rotateApiKey.previous.revokedAt).not.toBeNull();
  expect(await Promise.all([works(plaintext), works(at0.data.rotateApiKey.plaintext)])).toEqual([401, 200]);
  const ended = await graphql(ROTATE, { input: { id: apiKey.id } }, token);
  expect(ended.errors![0]!.extensions.code).toBe('CONFLICT');
  const tooLong = await graphql(ROTATE, { input: { id: made.apiKey.id, overlapHours: 721 } }, token);
  expect(tooLong.errors![0]!.extensions.code).toBe('VALIDATION_ERROR');
  const other = await makeStage(app);
  const foreign = await graphql(ROTATE, { input: { id: made.apiKey.id } }, other.token);
  expect(foreign.errors![0]!.extensions.code).toBe('NOT_FOUND');
  const audits = await app.db.forCenter(center.id).auditEntry.findMany({ where: { target: made.apiKey.id } });
  expect(audits.map(({ detail }) => (detail as { change: string }).change)).toEqual(['created', 'rotated']);
});
