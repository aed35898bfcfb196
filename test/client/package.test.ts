import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { verifyWebhook } from '../../packages/client/src/webhooks.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { makeActor, makeCenter, makeKey, makeMembership } from '../helpers/world.ts';
import { type Installed, installClient } from './installed.ts';

let service: TestApp;
let client: Installed;
let key: string;
const password = 'a-Passw0rd-for-tests';
const email = 'admin@client.test';

beforeAll(async () => {
  [service, client] = await Promise.all([startTestApp({ worker: true }), installClient()]);
  const center = await makeCenter(service.app, { domain: 'client-center' });
  const admin = await makeActor(service.app, { email, password, name: 'Kim' });
  await makeMembership(service.app, admin.id, center.id);
  key = await makeKey(service.app, center.id, ['proof:write']);
}, 120_000);

afterAll(async () => {
  await client?.remove();
  await service?.close();
});

const env = () => ({ COUNTERSIGN_URL: service.url, COUNTERSIGN_API_KEY: key });

test('the package holds no dependency and no source of the service beyond the proof kit', () => {
  const manifest = JSON.parse(
    readFileSync(`${client.folder}/node_modules/@countersign/client/package.json`, 'utf8'),
  );
  expect(manifest.dependencies).toBeUndefined();
});

test('an installed client records, approves, reads and lists', async () => {
  const printed = await client.run(
    `import { Countersign, CountersignError } from '@countersign/client';
     const countersign = new Countersign({ baseUrl: process.env.COUNTERSIGN_URL, apiKey: process.env.COUNTERSIGN_API_KEY });
     const event = await countersign.decisions.record({
       type: 'custom', actor: { id: 'a', type: 'service' }, action: { type: 'x' }, tags: ['installed'] });
     const approval = await countersign.decisions.approve(event.id, { approver: { id: 'kim', type: 'human' } });
     const seen = [];
     for await (const each of countersign.decisions.list({ tag: 'installed' })) seen.push(each.status);
     const { evidence } = await countersign.decisions.get(event.id);
     const proof = await countersign.evidence.export(evidence.id);
     const failure = await countersign.decisions.get('evt_none').catch((error) => error);
     console.log(JSON.stringify({ result: approval.result, seen, type: proof['@type'],
       failure: [failure instanceof CountersignError, failure.code, failure.status, failure.requestId !== null] }));`,
    env(),
  );
  expect(JSON.parse(printed)).toEqual({
    result: 'approved',
    seen: ['sealed'],
    type: 'DecisionProof',
    failure: [true, 'NOT_FOUND', 404, true],
  });
});

test('the command lists, shows and explains itself', async () => {
  const help = await client.command(['--help']);
  expect(help).toMatchObject({ code: 0, stderr: '' });
  expect(help.stdout).toContain('decisions');
  const listed = await client.command(['decisions', 'list', '--json'], { env: env() });
  expect(listed.code).toBe(0);
  const [first] = listed.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string });
  const shown = await client.command(['decisions', 'show', first!.id, '--json'], { env: env() });
  expect(JSON.parse(shown.stdout)).toMatchObject({ id: first!.id, status: 'sealed' });
});

test.each([
  [['nonsense'], 2, /There is no command nonsense/],
  [['decisions'], 2, /Say list, show, approve or reject/],
  [['decisions', 'list', '--colour'], 2, /--colour/],
  [['decisions', 'show', 'evt_none'], 1, /NOT_FOUND: .* \(request /],
  [['decisions', 'approve', 'evt_none'], 2, /countersign login/],
])('%j ends in one line and exit code %i', async (args, code, line) => {
  const ended = await client.command(args, { env: { ...env(), COUNTERSIGN_PROFILE: '/nonexistent' } });
  expect(ended.code).toBe(code);
  expect(ended.stderr.trim().split('\n')).toHaveLength(1);
  expect(ended.stderr).toMatch(line);
});

test('a service out of reach is one line too', async () => {
  const ended = await client.command(['login', '--url', 'http://127.0.0.1:1', '--api-key', 'csk_x']);
  expect(ended.code).toBe(2);
  expect(ended.stderr).toMatch(/^countersign: NETWORK: .*could not be reached/);
});

test('somebody signs in, makes a key, and approves in person', async () => {
  const signedIn = await client.command(['login', '--url', service.url, '--email', email], {
    input: `${password}\n`,
  });
  expect(signedIn).toMatchObject({ code: 0 });
  const made = await client.command(['keys', 'create', '--name', 'cli', '--scope', 'proof:read', '--json']);
  expect(JSON.parse(made.stdout)).toMatchObject({ name: 'cli', plaintext: expect.stringMatching(/^csk_/) });
  const wrong = await client.command(['login', '--url', service.url, '--email', email], { input: 'wrong\n' });
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('INVALID_CREDENTIALS') });
});

test('events are passed on to a local endpoint, signed, and go on where they were', async () => {
  await client.command(['login', '--url', service.url, '--email', email], { input: `${password}\n` });
  const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
  const received: string[] = [];
  const endpoint = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { id } = await verifyWebhook({ body: Buffer.concat(chunks), headers: request.headers, secret });
    received.push(id);
    response.end();
  });
  endpoint.listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  onTestFinished(() => void endpoint.close());
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`;
  const listen = () =>
    client.start(['listen', '--forward-to', url, '--secret', secret, '--event', 'dpu.sealed'], {});
  const seal = async () => {
    const body = { type: 'custom', actor: { id: 'a', type: 'service' }, action: { type: 'x' } };
    const { body: recorded } = await service.call('POST', '/v1/decision-events', { token: key, body });
    const approval = { approver: { id: 'kim', type: 'human' }, result: 'approved' };
    await service.call('POST', `/v1/decision-events/${recorded.data.id}/approvals`, {
      token: key,
      body: approval,
    });
  };

  const first = listen();
  await once(first.stdout!, 'data');
  await seal();
  await eventually(() => received.length === 1);
  first.kill('SIGTERM');
  expect((await once(first, 'exit'))[0]).toBe(0);
  // While nobody listened.
  await seal();
  const second = listen();
  await eventually(() => received.length === 2);
  await seal();
  await eventually(() => received.length === 3);
  second.kill('SIGTERM');
  await once(second, 'exit');
  expect(new Set(received).size).toBe(3);
});
