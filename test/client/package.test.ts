import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { verifyWebhook } from '../../packages/client/src/webhooks.ts';
import { signDueChains } from '../../src/domain/ledger/signing/round.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { makeActor, makeCenter, makeKey, makeMembership } from '../helpers/world.ts';
import { findChromium, NO_BROWSER, openBrowser } from '../web/browser.ts';
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

test('the package has no dependencies', () => {
  const manifest = JSON.parse(
    readFileSync(`${client.folder}/node_modules/@countersign/client/package.json`, 'utf8'),
  );
  expect(manifest.dependencies).toBeUndefined();
});

test('the installed client records, approves, reads and lists', async () => {
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

test('the installed package brings its types', async () => {
  writeFileSync(
    `${client.folder}/typed.mts`,
    `import { Countersign, type AgentDecision, type DecisionEvent } from '@countersign/client';
     import { verifyProof, type Verdict } from '@countersign/client/proof';
     const { decisions, agents } = new Countersign({ baseUrl: 'https://countersign.example', apiKey: 'csk_x' });
     export const event: DecisionEvent = await decisions.get('evt_1');
     export const status: 'recorded' | 'sealed' | 'approved' | 'rejected' = event.status;
     export const { verdict }: { verdict: Verdict } = await verifyProof('{}');
     export const asked: Promise<AgentDecision> = agents.decide({ agent: { id: 'a' }, action: { type: 'x' } });
     // @ts-expect-error the action has no type
     await decisions.record({ type: 'custom', actor: { id: 'a', type: 'service' }, action: {} });
     // @ts-expect-error not one of the verdicts
     export const wrong: Verdict = 'fine';`,
  );
  expect(await client.compile('typed.mts')).toBe('');
});

/** A sealed decision, its proof and the key that signed it. */
async function sealedProof() {
  const body = { type: 'custom', actor: { id: 'a', type: 'service' }, action: { type: 'x' } };
  const { body: recorded } = await service.call('POST', '/v1/decision-events', { token: key, body });
  const approval = { approver: { id: 'kim', type: 'human' }, result: 'approved' };
  const path = `/v1/decision-events/${recorded.data.id}/approvals`;
  await service.call('POST', path, { token: key, body: approval });
  const { text } = await service.call('GET', `/v1/evidence/${recorded.data.evidence.id}/export`, {
    token: key,
  });
  const published = await service.fetch('/.well-known/countersign-keys.json');
  const { keys } = (await published.json()) as { keys: { vkey: string }[] };
  return { id: recorded.data.id as string, text, vkey: keys[0]!.vkey };
}

test('proofs are verified by the command and in Node, with the documented exit codes', async () => {
  const { text, vkey } = await sealedProof();
  const good = `${client.folder}/good.json`;
  const bad = `${client.folder}/bad.json`;
  writeFileSync(good, text);
  writeFileSync(bad, text.replaceAll('"custom"', '"escalation"'));
  const proven = await client.command(['verify', good, '--key', vkey]);
  expect(proven).toMatchObject({ code: 0, stderr: '' });
  expect(proven.stdout).toMatch(new RegExp(`^${good}: proven: .+\n$`));
  // The Node that runs npm is often older than the one of the service.
  const npmNode = process.env['npm_node_execpath'] ?? process.execPath;
  const program = `${client.folder}/node_modules/.bin/countersign`;
  const older = await promisify(execFile)(npmNode, [program, 'verify', good, '--key', vkey]);
  expect(older.stdout).toBe(proven.stdout);
  expect((await client.command(['verify', good])).code).toBe(3);
  const both = await client.command(['verify', good, bad, '--key', vkey, '--json']);
  expect(both.code).toBe(1);
  expect(JSON.parse(both.stdout)).toMatchObject([{ verdict: 'proven' }, { verdict: 'refuted' }]);
  expect(await client.command(['verify', '--key', 'nonsense', good])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^countersign: .*nonsense.*\n$/),
  });
  const printed = await client.run(
    `import { readFileSync, writeFileSync } from 'node:fs';
     import { verifyProof } from '@countersign/client/proof';
     const trust = { keys: [process.env.VKEY] };
     for (const file of ['good', 'bad']) console.log((await verifyProof(readFileSync(file + '.json', 'utf8'), trust)).verdict);`,
    { VKEY: vkey },
  );
  expect(printed).toBe('proven\nrefuted\n');
});

test('the monitor follows the head log of a service', async () => {
  await signDueChains(service.app);
  const state = `${client.folder}/monitor.json`;
  const looked = await client.command(['monitor', '--url', service.url, '--state', state, '--json']);
  expect(looked.code).toBe(0);
  expect(JSON.parse(looked.stdout)).toMatchObject({ ok: true, origin: expect.stringMatching(/\/log$/) });
  expect(await client.command(['monitor', '--url', 'nowhere', '--state', state])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^countersign: --url .* says how\.\n$/),
  });
});

test('the examples run unchanged', async () => {
  const run = (name: string, args: string[] = [], more = {}) =>
    client.example(name, args, { ...env(), ...more });
  expect((await run('agent.mjs', ['1', '100']).ended).stdout).toBe(
    'paid: {"refundId":"re_1","refunded":100}\n',
  );
  const again = await run('agent.mjs', ['1', '100']).ended;
  expect(again).toMatchObject({ code: 1, stdout: expect.stringContaining('reported as executed') });
  const risky = run('agent.mjs', ['2', '4900']);
  const waiting = async () =>
    (await service.call('GET', '/v1/decision-events?status=recorded', { token: key })).body.data[0]?.id;
  await eventually(async () => (await waiting()) !== undefined);
  const approval = { approver: { id: 'kim', type: 'human' }, result: 'rejected' };
  await service.call('POST', `/v1/decision-events/${await waiting()}/approvals`, {
    token: key,
    body: approval,
  });
  expect(await risky.ended).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^not paid: .*rejected/),
  });

  const { vkey } = await sealedProof();
  const audited = await run('auditor.mjs', [vkey]).ended;
  expect(audited.code).toBe(0);
  expect(
    audited.stdout
      .trim()
      .split('\n')
      .every((line) => /^evt_\w+: proven: /.test(line)),
  ).toBe(true);

  const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
  const receiver = run('webhook-receiver.mjs', [], { WEBHOOK_SECRET: secret, PORT: '0' });
  onTestFinished(() => void receiver.child.kill());
  const [listening] = (await once(receiver.child.stdout!, 'data')) as [Buffer];
  const body = JSON.stringify({
    id: 'msg_1',
    type: 'dpu.sealed',
    createdAt: new Date(),
    data: {},
    deliveryAttempt: 1,
  });
  const at = new Date();
  const signature = new Webhook(secret.slice('whsec_'.length)).sign('msg_1', at, body);
  const deliver = (signed: string) =>
    fetch(`http://127.0.0.1:${/\d+/.exec(listening.toString())![0]}`, {
      method: 'POST',
      body,
      headers: {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': signed,
      },
    });
  expect((await deliver('v1,bm9uZQ==')).status).toBe(400);
  expect((await deliver(signature)).status).toBe(204);
  expect((await deliver(signature)).status).toBe(400);
});

// Before anything is started: the installation blocks the process.
const chromium = findChromium();

test('the installed package works in a browser', async ({ skip }) => {
  if (!chromium) return skip(NO_BROWSER);
  const { text, vkey, id } = await sealedProof();
  const { url, close } = await serveFolder(`${client.folder}/node_modules/@countersign/client`);
  onTestFinished(close);
  const other = await startTestApp({ database: service.database, env: { CORS_ORIGINS: url } });
  onTestFinished(() => other.close());
  const browser = await openBrowser(chromium);
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(url);
  const seen = await page.evaluate(
    async ({ baseUrl, apiKey, id, text, vkey }) => {
      // Names from the page's import map, which the types of this file do not know.
      const [main, proof] = ['@countersign/client', '@countersign/client/proof'];
      const { Countersign } = await import(main!);
      const { verifyProof } = await import(proof!);
      const decision = await new Countersign({ baseUrl, apiKey }).decisions.get(id);
      const good = await verifyProof(text, { keys: [vkey] });
      const bad = await verifyProof(text.replaceAll('"custom"', '"escalation"'), { keys: [vkey] });
      return [decision.status, good.verdict, bad.verdict];
    },
    { baseUrl: other.url, apiKey: key, id, text, vkey },
  );
  expect(seen).toEqual(['sealed', 'proven', 'refuted']);
});

/** The files of the package, and a page that knows them by name. */
async function serveFolder(folder: string) {
  const { exports } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as {
    exports: Record<string, { default: string }>;
  };
  const imports = Object.fromEntries(
    Object.entries(exports).map(([name, { default: file }]) => [`@countersign/client${name.slice(1)}`, file]),
  );
  const page = `<!doctype html><link rel="icon" href="data:,"><script type="importmap">${JSON.stringify({ imports })}</script>`;
  const server = createServer((request, response) => {
    const isPage = request.url === '/';
    response.setHeader('content-type', isPage ? 'text/html' : 'text/javascript');
    response.end(isPage ? page : readFileSync(`${folder}${request.url}`));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://localhost:${port}`, close: () => void server.close() };
}

test('in a checkout the command runs without a build', async () => {
  const program = fileURLToPath(new URL('../../packages/client/bin/countersign.mjs', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'decisions', '-h']);
  expect(stdout).toContain('countersign decisions list');
});

test('the command lists and shows decisions and prints its help', async () => {
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
  [['nonsense'], 2, /There is no command nonsense\. `countersign -h` lists them\./],
  [['decisions'], 2, /Say list, show, approve or reject/],
  [
    ['decisions', 'list', '--colour'],
    2,
    /^countersign: Unknown option '--colour'\. `countersign decisions -h`/,
  ],
  [['decisions', 'show', 'evt_none'], 1, /NOT_FOUND: .* \(request /],
  [['decisions', 'approve', 'evt_none'], 2, /countersign login/],
  [['keys', 'create', '--name', 'robot', '--expires', 'soon'], 2, /--expires takes a date/],
])('%j prints one line and exits with code %i', async (args, code, line) => {
  const ended = await client.command(args, { env: { ...env(), COUNTERSIGN_PROFILE: '/nonexistent' } });
  expect(ended.code).toBe(code);
  expect(ended.stderr.trim().split('\n')).toHaveLength(1);
  expect(ended.stderr).toMatch(line);
});

test('an unreachable service is reported in one line', async () => {
  const ended = await client.command(['login', '--url', 'http://127.0.0.1:1', '--api-key', 'csk_x']);
  expect(ended.code).toBe(2);
  expect(ended.stderr).toMatch(/^countersign: NETWORK: .*could not be reached/);
});

test('a person signs in, creates a key, and approves', async () => {
  const signedIn = await client.command(['login', '--url', service.url, '--email', email], {
    input: `${password}\n`,
  });
  expect(signedIn).toMatchObject({ code: 0 });
  const made = await client.command(['keys', 'create', '--name', 'cli', '--scope', 'proof:read', '--json']);
  expect(JSON.parse(made.stdout)).toMatchObject({ name: 'cli', plaintext: expect.stringMatching(/^csk_/) });
  const wrong = await client.command(['login', '--url', service.url, '--email', email], { input: 'wrong\n' });
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('INVALID_CREDENTIALS') });
});

test('a signed-in person lists, shows and approves without a reason, and signs out', async () => {
  const profile = { COUNTERSIGN_PROFILE: `${client.folder}/person.json` };
  const command = (...args: string[]) => client.command(args, { env: profile });
  const version = await command('--version');
  expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect((await command('completion', 'bash')).stdout).toContain('decisions) COMPREPLY=');
  expect((await command('completion', 'tcsh')).code).toBe(2);
  expect((await command('whoami', '--json')).code).toBe(1);
  await client.command(['login', '--url', service.url, '--email', email], {
    input: `${password}\n`,
    env: profile,
  });
  expect(JSON.parse((await command('whoami', '--json')).stdout)).toMatchObject({
    email,
    role: 'ADMIN',
    centerDomain: 'client-center',
    apiKey: null,
  });
  const body = { type: 'custom', actor: { id: 'a', type: 'service' }, action: { type: 'by.person' } };
  const { id } = (await service.call('POST', '/v1/decision-events', { token: key, body })).body.data;
  const listed = await command('decisions', 'list', '--limit', '1', '--json');
  expect(JSON.parse(listed.stdout)).toMatchObject({ id, action: 'by.person', status: 'recorded' });
  const approved = await command('decisions', 'approve', id, '--json');
  expect(approved).toMatchObject({ code: 0, stderr: '' });
  const shown = JSON.parse((await command('decisions', 'show', id, '--json')).stdout);
  expect(shown).toMatchObject({ status: 'sealed', approvals: [{ result: 'approved', reason: null }] });

  // Without --all no webhook gets a sample, and none is needed.
  const hook = { url: 'https://production.example/hook', events: ['*'] };
  const { id: webhookId } = (await service.call('POST', '/v1/webhooks', { token: key, body: hook })).body;
  const deliveries = () => service.app.db.acrossTenants.delivery.count({ where: { webhookId } });
  const sample = await command('trigger', 'payment.completed', '--json');
  expect(JSON.parse(sample.stdout)).toMatchObject({ to: 'listen', eventId: expect.stringMatching(/^msg_/) });
  expect(await deliveries()).toBe(0);
  const all = await command('trigger', 'payment.completed', '--all', '--json');
  expect(JSON.parse(all.stdout)).toMatchObject({ to: webhookId });
  expect(await deliveries()).toBe(1);

  expect((await command('logout')).code).toBe(0);
  expect((await command('decisions', 'list')).stderr).toContain('countersign login');
});

test('whoami describes an API key that login has stored: its name, center and permissions', async () => {
  const profile = { COUNTERSIGN_PROFILE: `${client.folder}/key.json` };
  const command = (...args: string[]) => client.command(args, { env: profile });
  const { id: centerId } = await service.app.db.acrossTenants.center.findUniqueOrThrow({
    where: { centerDomain: 'client-center' },
  });
  // Such a key may neither read decisions of others nor webhooks.
  const requester = await makeKey(service.app, centerId, ['proof:request']);
  const kept = await command('login', '--url', service.url, '--api-key', requester);
  expect(kept).toMatchObject({ code: 0, stdout: expect.stringContaining('client-center') });
  const shown = await command('whoami', '--json');
  expect(JSON.parse(shown.stdout)).toMatchObject({
    url: service.url,
    credential: 'API key',
    id: expect.stringMatching(/^key_/),
    name: expect.any(String),
    center: 'client-center',
    permissions: ['proof:request'],
    apiKey: `${requester.slice(0, 'csk_12345678'.length)}_…`,
    from: 'login',
  });
  const table = await command('whoami');
  expect(table.stdout).toMatch(/API key .* client-center .* proof:request/);
  expect(shown.stdout + table.stdout).not.toContain(requester);

  const both = { ...profile, COUNTERSIGN_API_KEY: key };
  const fromEnvironment = await client.command(['whoami', '--json'], { env: both });
  expect(JSON.parse(fromEnvironment.stdout)).toMatchObject({ from: 'COUNTERSIGN_API_KEY' });
  await service.app.db.acrossTenants.apiKey.updateMany({
    where: { publicId: requester.slice(4, 12) },
    data: { revokedAt: new Date() },
  });
  expect(await command('whoami')).toMatchObject({ code: 1, stderr: expect.stringContaining('UNAUTHORIZED') });
});

test('events are forwarded to a local endpoint, signed, and resume where they stopped', async () => {
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
  // While no one was listening.
  await seal();
  const second = listen();
  await eventually(() => received.length === 2);
  await seal();
  await eventually(() => received.length === 3);
  second.kill('SIGTERM');
  await once(second, 'exit');
  expect(new Set(received).size).toBe(3);
});
