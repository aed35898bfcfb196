import { expect, test } from 'vitest';
import { mailTo } from '../helpers/mail.ts';
import { makeCenter, makeMember, makeStage } from '../helpers/world.ts';
import { answers, lyingProvider } from './helpers/lying-provider.ts';
import { signInThroughProvider, testAppAtPublicUrl, whoIs } from './helpers/sign-in.ts';

const READ = `{ identityProvider {
  name issuer clientId scopes groupsClaim roleByGroup { group role } defaultRole requiredClaims { claim value }
  externalIdClaim createOnSignIn sessionHours required redirectUri backchannelLogoutUri scimUrl testedAt
  failures { code }
} }`;
const SAVE = `mutation ($input: IdentityProviderInput!) { saveIdentityProvider(input: $input) { clientId } }`;
const REMOVE = 'mutation { removeIdentityProvider }';

async function stage(worker = false) {
  const house = await testAppAtPublicUrl({ worker });
  const provider = await lyingProvider();
  const { center, token, admin } = await makeStage(house.app);
  const { issuer, clientId, clientSecret } = provider;
  const input = { name: 'Company Login', issuer, clientId, clientSecret, defaultRole: 'INSTRUCTOR' };
  const save = async (changes: Record<string, unknown> = {}, by = token) => {
    const { errors } = await house.graphql(SAVE, { input: { ...input, ...changes } }, by);
    const error = errors?.[0];
    const [fault] = (error?.extensions.details as { fields?: { path: string }[] })?.fields ?? [];
    return error
      ? [error.extensions.code, ...(fault ? [fault.path.replace(/^input\./, '')] : [])].join(' ')
      : 'saved';
  };
  return { house, provider, center, token, admin, input, save };
}

test('an ADMIN with a fresh proof saves settings and reads all but the secret', async () => {
  const { house, token, center, admin, save, provider } = await stage(true);
  expect((await house.graphql(READ, {}, token)).data.identityProvider).toBeNull();
  await house.superuser.query(`UPDATE session SET proven_at = now() - interval '6 minutes'`);
  expect(await save()).toBe('REAUTHENTICATION_REQUIRED');
  await house.superuser.query('UPDATE session SET proven_at = now()');
  const instructor = await makeMember(house.app, center.id, 'INSTRUCTOR');
  expect(await save({}, instructor.token)).toBe('INSUFFICIENT_ROLE');
  expect((await house.graphql(READ, {}, instructor.token)).errors![0]!.extensions.code).toBe(
    'INSUFFICIENT_ROLE',
  );
  expect(
    await save({
      groupsClaim: 'groups',
      roleByGroup: [{ group: 'admins', role: 'ADMIN' }],
      requiredClaims: [{ claim: 'tid', value: 'x' }],
    }),
  ).toBe('saved');
  const { data } = await house.graphql(READ, {}, token);
  expect(data.identityProvider).toEqual({
    name: 'Company Login',
    issuer: provider.issuer,
    clientId: provider.clientId,
    scopes: ['openid', 'email', 'profile'],
    groupsClaim: 'groups',
    roleByGroup: [{ group: 'admins', role: 'ADMIN' }],
    defaultRole: 'INSTRUCTOR',
    requiredClaims: [{ claim: 'tid', value: 'x' }],
    externalIdClaim: 'sub',
    createOnSignIn: true,
    sessionHours: 12,
    required: false,
    redirectUri: `${house.home}/auth/oidc/callback`,
    backchannelLogoutUri: `${house.home}/auth/oidc/backchannel-logout`,
    scimUrl: `${house.home}/scim/v2`,
    testedAt: null,
    failures: [],
  });
  const row = await house.app.db.acrossTenants.identityProvider.findFirstOrThrow();
  const entries = await house.app.db.acrossTenants.auditEntry.findMany({ where: { type: 'center.updated' } });
  expect(entries.map(({ detail }) => detail)).toMatchObject([
    { change: 'identity provider created', issuer: provider.issuer, clientId: provider.clientId },
  ]);
  expect(JSON.stringify([row, entries])).not.toContain(provider.clientSecret);
  const mail = await mailTo(house, admin.actor.email!, 'Company sign-in was set up');
  expect(mail.text).not.toContain(provider.clientSecret);
  // A save that changes nothing is not a change.
  expect(await save({ sessionHours: 24 })).toBe('saved');
  const changed = await mailTo(house, admin.actor.email!, 'Company sign-in was changed');
  expect(changed.text).toContain('sessionHours');
});

test('invalid settings are refused by field, and nothing changes', async () => {
  const { house, save, provider, token } = await stage();
  const faults: [Record<string, unknown>, string][] = [
    [{ name: '' }, 'name'],
    [{ name: 'Company\nLogin' }, 'name'],
    [{ name: 'Company\u202eLogin' }, 'name'],
    [{ clientId: '' }, 'clientId'],
    [{ clientSecret: null }, 'clientSecret'],
    [{ scopes: ['email'] }, 'scopes'],
    [{ scopes: ['openid', 'a b'] }, 'scopes.1'],
    [{ roleByGroup: [{ group: 'g', role: 'ADMIN' }] }, 'groupsClaim'],
    [{ sessionHours: 0 }, 'sessionHours'],
    [{ sessionHours: 721 }, 'sessionHours'],
    [{ issuer: 'not a URL' }, 'issuer'],
    [{ issuer: 'ftp://company.test' }, 'issuer'],
    [{ issuer: `${provider.issuer}?tenant=1` }, 'issuer'],
    [{ issuer: `${provider.issuer}/.well-known/openid-configuration` }, 'issuer'],
    [{ issuer: `${provider.issuer}/` }, 'issuer'],
    [{ issuer: provider.issuer.replace('127.0.0.1', 'localhost') }, 'issuer'],
    [{ issuer: 'https://user:password@company.test' }, 'issuer'],
    [{ issuer: 'https://accounts.google.com' }, 'requiredClaims'],
    [
      { issuer: 'https://ACCOUNTS.google.com./', requiredClaims: [{ claim: 'a', value: 'b' }] },
      'requiredClaims',
    ],
    [{ issuer: 'https://login.microsoftonline.com/common/v2.0' }, 'issuer'],
    [
      { issuer: 'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0' },
      'requiredClaims',
    ],
  ];
  for (const [changes, field] of faults)
    expect([changes, await save(changes)]).toEqual([changes, `VALIDATION_ERROR ${field}`]);
  const bad = [
    { respond: { discovery: answers.never } },
    { respond: { discovery: answers.huge } },
    { respond: { discovery: answers.redirect(`${provider.issuer}/.well-known/openid-configuration`) } },
    { respond: { discovery: answers.malformed } },
    { respond: { discovery: answers.text } },
    { respond: { discovery: answers.gone } },
    { discovery: () => [] },
    { discovery: (document: object) => ({ ...document, issuer: 'https://company.test' }) },
    { discovery: (document: object) => ({ ...document, token_endpoint: undefined }) },
    { discovery: (document: object) => ({ ...document, token_endpoint: 7 }) },
    { discovery: (document: object) => ({ ...document, jwks_uri: 'file:///etc/passwd' }) },
    { discovery: (document: object) => ({ ...document, authorization_endpoint: 'javascript:alert(1)' }) },
    { discovery: (document: object) => ({ ...document, id_token_signing_alg_values_supported: ['HS256'] }) },
  ];
  for (const lies of bad) {
    provider.lies = lies;
    expect([lies, await save()]).toEqual([lies, 'VALIDATION_ERROR issuer']);
  }
  expect((await house.graphql(READ, {}, token)).data.identityProvider).toBeNull();
});

test('the stored secret is not sent to another issuer or client', async () => {
  const { house, provider, save, token, input } = await stage();
  const thief = await lyingProvider();
  expect(await save()).toBe('saved');
  for (const changes of [
    { issuer: thief.issuer },
    { clientId: 'another' },
    { issuer: `${provider.issuer}/` },
  ]) {
    for (const clientSecret of [null, undefined]) {
      expect(await save({ ...changes, clientSecret })).toBe('VALIDATION_ERROR clientSecret');
    }
    const tested = await house.graphql(
      'mutation ($input: IdentityProviderInput!) { testIdentityProvider(input: $input) { id } }',
      { input: { ...input, ...changes, clientSecret: null } },
      token,
    );
    expect(tested.errors?.[0]?.extensions.code).toBe('VALIDATION_ERROR');
  }
  expect(await save({ clientSecret: null, sessionHours: 8 })).toBe('saved');
  // The present issuer may be away: the settings can still be changed.
  provider.lies = { respond: { discovery: answers.gone } };
  expect(await save({ clientSecret: null, sessionHours: 9 })).toBe('saved');
  expect(thief.credentials).toEqual([]);
});

test('another issuer or client, and removal, end the sessions of the provider at once', async () => {
  const { house, provider, center, save, token } = await stage();
  const signIn = async () => (await signInThroughProvider(house, center, '')).token;
  expect(await save()).toBe('saved');
  const first = await signIn();
  expect(await save({ sessionHours: 5 })).toBe('saved');
  expect(await whoIs(house, first)).toMatchObject({ name: 'Mallory' });
  expect(await save({ clientId: 'another' })).toBe('saved');
  expect(await whoIs(house, first)).toBe('UNAUTHORIZED');
  provider.clientId = 'another';
  const second = await signIn();
  expect(await whoIs(house, second)).toMatchObject({ name: 'Mallory' });
  // Without a password, the only ADMIN could not come back.
  expect((await house.graphql(REMOVE, {}, token)).errors![0]!.extensions.code).toBe('CONFLICT');
  expect(await whoIs(house, second)).toMatchObject({ name: 'Mallory' });
  await makeMember(house.app, center.id, 'ADMIN', { password: 'correct horse battery' });
  expect((await house.graphql(REMOVE, {}, token)).data).toEqual({ removeIdentityProvider: true });
  expect(await whoIs(house, second)).toBe('UNAUTHORIZED');
  expect((await signInThroughProvider(house, center, '')).error).toBe('CENTER_NOT_FOUND');
  expect((await house.graphql(REMOVE, {}, token)).errors![0]!.extensions.code).toBe('NOT_FOUND');
});

test('company sign-in is required only where an ADMIN has emergency access', async () => {
  const { house, center, admin, save } = await stage();
  expect(await save({ required: true })).toBe('CONFLICT');
  const mark = (id: string) =>
    house.app.db.acrossTenants.membership.update({ where: { id }, data: { emergencyAccess: true } });
  // An ADMIN without a password could not use it.
  await mark(admin.membership.id);
  expect(await save({ required: true })).toBe('CONFLICT');
  await mark((await makeMember(house.app, center.id, 'ADMIN', { password: 'correct horse' })).membership.id);
  expect(await save({ required: true })).toBe('saved');
  const stranger = await makeMember(house.app, (await makeCenter(house.app)).id);
  const { data } = await house.graphql(READ, {}, stranger.token);
  expect(data.identityProvider).toBeNull();
});

test('the newest 20 failures are kept', async () => {
  const { house, provider, center, save, token } = await stage();
  expect(await save()).toBe('saved');
  provider.lies = { callback: (url) => url.searchParams.set('iss', 'another') };
  for (let i = 0; i < 22; i++) await signInThroughProvider(house, center, '');
  const { data } = await house.graphql(READ, {}, token);
  expect(data.identityProvider.failures).toHaveLength(20);
  expect(await house.app.db.acrossTenants.providerFailure.count()).toBe(20);
});
