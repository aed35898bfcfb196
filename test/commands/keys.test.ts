import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readOptions } from '../../src/commands/keys/options.ts';
import { execute } from '../../src/commands/keys/run.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { makeStage } from '../helpers/world.ts';

const run = promisify(execFile);
const command = fileURLToPath(new URL('../../src/commands/keys.ts', import.meta.url));

async function keys({ database }: TestApp, ...args: string[]) {
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    DATA_DIR: database.dataDir,
    JWT_SECRET: 'Zk8vQ2xW7rT4yN1mB6pL9sD3fG5hJ0cA',
  };
  try {
    return { code: 0, ...(await run(process.execPath, [command, ...args], { env })) };
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string };
  }
}

test('a key is created, works, is listed and is revoked immediately', { timeout: 90_000 }, async () => {
  const running = await testApp();
  const { center } = await makeStage(running.app);
  const made = await keys(
    running,
    ...[
      'create',
      center.centerDomain,
      '--name',
      'from the shell',
      '--scope',
      'proof:write',
      '--rate',
      '7',
      '--json',
    ],
  );
  expect(made.stderr).toBe('');
  const {
    plaintext,
    keys: [key],
  } = JSON.parse(made.stdout);
  const list = () => running.call('GET', '/v1/decision-events', { token: plaintext });
  const used = await list();
  expect([used.status, key.ratePerMinute]).toEqual([200, 7]);

  const listed = await keys(running, 'list', center.centerDomain);
  expect(listed.stdout).toContain(key.id);
  expect(listed.stdout + made.stdout).not.toContain('secretHash');
  expect(listed.stdout).not.toContain(plaintext);

  expect((await keys(running, 'revoke', center.centerDomain, key.publicId)).stdout).toContain('revoked');
  await eventually(async () => (await list()).status === 401);
  const audit = await running.app.db.forCenter(center.id).auditEntry.findMany({ where: { target: key.id } });
  expect(audit.map(({ detail }) => (detail as { change: string }).change)).toEqual(['created', 'revoked']);
});

test('an error is printed in one line, with exit code 1', async () => {
  const running = await testApp();
  const { code, stderr } = await keys(running, 'list', 'nowhere');
  expect([code, stderr]).toEqual([1, 'There is no center nowhere.\n']);
});

test('invalid arguments are rejected', async () => {
  const { app } = await testApp();
  const domain = (await makeStage(app)).center.centerDomain;
  const order = async (...args: string[]) => {
    const options = readOptions(args);
    return options === 'help' ? options : execute(app, options.command);
  };
  const create = ['create', domain, '--name', 'x'];
  for (const [args, message] of [
    [[...create, '--scope', 'everything'], '--scope'],
    [[...create], '--scope'],
    [[...create, '--scope', 'proof:read', '--expires', 'soon'], '--expires'],
    [[...create, '--scope', 'proof:read', '--expires', '2020-01-01'], 'expiresAt'],
    [[...create, '--scope', 'proof:read', '--rate', '0'], '--rate'],
    [['revoke', domain, 'key_unknown'], 'API key not found.'],
    [['revoke', domain], 'Say create, list or revoke'],
    [['--wrong'], '--wrong'],
  ] as const) {
    await expect(order(...args)).rejects.toThrow(message);
  }
  for (const flag of ['--help', '-h']) expect(await order(flag)).toBe('help');
});
