import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { readOptions } from '../../src/commands/admin/options.ts';
import { makeClient } from '../helpers/client.ts';
import { testDatabase } from '../helpers/database.ts';
import { eventually } from '../helpers/eventually.ts';
import { startMailServer } from '../helpers/mail.ts';
import { bareEnvironment, startServer } from '../helpers/process.ts';

const command = fileURLToPath(new URL('../../src/commands/admin.ts', import.meta.url));

async function admin(env: Record<string, string>, ...args: string[]) {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [command, ...args], {
      env: bareEnvironment(env),
    });
    return { code: 0, stdout, stderr: '' };
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string };
  }
}

const ROOT = 'root@operator.test';
const HEAD = 'head@clinic.test';
const password = 'correct horse battery';

test('production setup from an empty database to the first proof', { timeout: 240_000 }, async () => {
  const { url, ownerUrl } = await testDatabase({ empty: true });
  const post = await startMailServer(() => 0);
  const dataDir = await mkdtemp(join(tmpdir(), 'production-'));
  onTestFinished(async () => {
    await post.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const env = {
    NODE_ENV: 'production',
    DATABASE_URL: url,
    DATABASE_OWNER_URL: ownerUrl,
    DATA_DIR: dataDir,
    PUBLIC_URL: 'https://proofs.test',
    JWT_SECRET: 'wq3GdVYbzT0kS5vE8mRjN1xH7uLpCfA2',
    MAIL_URL: post.url,
    MAIL_RETRY_DELAYS: '1,1,1,1,1,1,1,1',
    METRICS_TOKEN: 'Zk4yT9qLw2VbN7xC',
  };
  const server = await startServer({ env });
  onTestFinished(async () => void (await server.end()));
  const { call, graphql } = makeClient(server.url);
  const ask = async (document: string, variables: object, token?: string) => {
    const { data, errors } = await graphql(document, { ...variables }, token);
    expect(errors).toBeUndefined();
    return Object.values(data as object)[0];
  };
  const signIn = async (email: string) =>
    (await call('POST', '/auth/login', { body: { email, password } })).body.data;

  // The first administrator.
  const made = await admin(env, 'create', '--email', ROOT, '--name', 'Robin Root');
  const link = /^https:\/\/proofs\.test\/reset#(\S+)$/m.exec(made.stdout);
  expect([made.stderr, link?.[1]]).toEqual(['', expect.stringMatching(/^[\w-]{43}$/)]);
  const RESET = `mutation ($token: String!) { resetPassword(input: { token: $token, password: "${password}" }) }`;
  expect(await ask(RESET, { token: link![1] })).toBe(true);
  const again = await graphql(RESET, { token: link![1] });
  expect(again.errors![0]!.extensions.code).toBe('UNAUTHORIZED');
  const root = (await signIn(ROOT)).accessToken;
  const repeated = await admin(env, 'create', '--email', ROOT.toUpperCase(), '--name', 'Somebody', '--json');
  expect(JSON.parse(repeated.stdout)).toMatchObject({ email: ROOT, link: null });

  // The first center, and its administrator by mail.
  const center = ['center', '--domain', 'first-clinic', '--name', 'First Clinic', '--vertical', 'welfare'];
  const opened = JSON.parse((await admin(env, ...center, '--admin', HEAD, '--json')).stdout);
  expect(opened).toMatchObject({
    center: { centerDomain: 'first-clinic' },
    admin: { email: HEAD, status: 'INVITED' },
  });
  expect(await admin(env, ...center, '--admin', HEAD)).toMatchObject({
    code: 1,
    stderr: 'This subdomain is taken or reserved; choose another one.\n',
  });
  const invitation = () => post.arrived.find(({ subject }) => subject === 'Invitation to First Clinic');
  await eventually(() => invitation() !== undefined, 60_000);
  const token = /^https:\/\/proofs\.test\/invitation#(\S+)$/m.exec(invitation()!.text!)![1]!;
  const ACCEPT = `mutation ($input: AcceptInvitationInput!) { acceptInvitation(input: $input) { id status } }`;
  const { id, status } = await ask(ACCEPT, { input: { token, password, name: 'Hedda Head' } });
  expect(status).toBe('PENDING');

  // The platform administrator is notified, sees who waits, and approves in the console or in a shell.
  const notice = () =>
    post.arrived.find(({ subject }) => subject === 'Hedda Head is waiting for your approval');
  await eventually(() => notice() !== undefined, 60_000);
  expect(notice()!.to![0]!.address).toBe(ROOT);
  expect(notice()!.text).toContain('https://proofs.test/platform/centers');
  const stranded = await ask('{ strandedMembers { totalCount edges { node { id name } } } }', {}, root);
  expect(stranded).toEqual({ totalCount: 1, edges: [{ node: { id, name: 'Hedda Head' } }] });
  const approve = (...args: string[]) => admin(env, 'approve', '--email', ...args);
  expect((await approve('nobody@clinic.test')).stderr).toContain('nobody@clinic.test');
  expect((await approve(HEAD, '--domain', 'elsewhere')).code).toBe(1);
  expect(await approve(HEAD)).toMatchObject({ stdout: `${HEAD} is approved and can enter First Clinic.\n` });
  expect((await approve(HEAD)).stderr).toBe(`No membership of ${HEAD} waits for approval.\n`);

  // The first decision, and its proof.
  const head = await signIn(HEAD);
  expect(head.center.domain).toBe('first-clinic');
  const KEY = `mutation { createApiKey(input: { name: "first", scopes: ["proof:write"] }) { plaintext } }`;
  const { plaintext: key } = await ask(KEY, {}, head.accessToken);
  const recorded = await call('POST', '/v1/decision-events', {
    token: key,
    body: {
      type: 'human_approval',
      actor: { id: 'hedda', type: 'human' },
      action: { type: 'plan.approve', input: { plan: 7 } },
    },
  });
  expect(recorded.status).toBe(201);
  const { id: eventId, evidence } = recorded.body.data;
  const approved = await call('POST', `/v1/decision-events/${eventId}/approvals`, {
    token: key,
    body: { approver: { id: 'robin', type: 'human', name: 'Robin' }, result: 'approved', reason: 'fits' },
  });
  expect(approved.status).toBe(200);
  const proof = await call('GET', `/v1/evidence/${evidence.id}/export`, { token: key });
  expect(proof.status).toBe(200);
  const chain = await call('GET', '/dpu/verify-chain', { token: head.accessToken });
  expect(chain.body.data.valid).toBe(true);
  expect((await fetch(`${server.url}/verify/${eventId}`)).status).toBe(200);
});

test('invalid arguments are rejected with the usage text', async () => {
  const fault = (...args: string[]) => {
    try {
      return readOptions(args);
    } catch (error) {
      return (error as Error).message;
    }
  };
  for (const flag of ['--help', '-h']) expect(fault(flag)).toBe('help');
  expect(fault()).toContain('create, center, approve');
  expect(fault('create', '--email', 'nobody', '--name', 'N')).toMatch(/^--email: /);
  expect(fault('create', '--email', ROOT)).toMatch(/^--name: /);
  const center = ['center', '--name', 'N', '--admin', HEAD, '--domain'];
  expect(fault(...center, 'No Slug', '--vertical', 'welfare')).toMatch(/^--domain: /);
  expect(fault(...center, 'slug', '--vertical', 'piracy')).toMatch(/^--vertical: /);
  expect(fault('approve')).toMatch(/^--email: /);
  expect(fault('provider', '--domain', 'slug')).toMatch(/^--optional: /);
  expect(fault('provider', '--optional')).toMatch(/^--domain: /);
  expect(fault('create', 'twice')).toContain('create, center, approve');
});
