import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { type TestApp, testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { makeStage } from '../helpers/world.ts';

const run = promisify(execFile);
const command = fileURLToPath(new URL('../../src/commands/keys.ts', import.meta.url));

async function keys({ database }: TestApp, ...args: string[]) {
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    DATA_DIR: tmpdir(),
    JWT_SECRET: 'a-secret-for-tests-of-at-least-32-characters',
  };
  try {
    return { code: 0, ...(await run(process.execPath, [command, ...args], { env })) };
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string };
  }
}

test('a key is made, works, is listed and ends at once', async () => {
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

test('what makes no sense is said in a line, with exit code 1', async () => {
  const running = await testApp();
  const { center } = await makeStage(running.app);
  const domain = center.centerDomain;
  for (const [args, message] of [
    [['create', 'nowhere', '--name', 'x', '--scope', 'proof:read'], 'no center nowhere'],
    [['create', domain, '--name', 'x', '--scope', 'everything'], '--scope'],
    [['create', domain, '--name', 'x', '--scope', 'proof:read', '--expires', 'soon'], '--expires'],
    [['create', domain, '--name', 'x', '--scope', 'proof:read', '--expires', '2020-01-01'], 'expiresAt'],
    [['revoke', domain, 'key_unknown'], 'no such API key'],
    [['revoke', domain], 'Say create, list or revoke'],
    [['--wrong'], '--wrong'],
  ] as const) {
    const { code, stderr } = await keys(running, ...args);
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(stderr).not.toContain('    at ');
  }
});
