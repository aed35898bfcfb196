import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, inject, test } from 'vitest';
import { testDatabase } from './database.ts';
import { runAs } from './server.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs one of the files in fixtures as a test run of its own, on the server that is up already. */
async function run(file: string) {
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    'test/helpers/fixtures/leaky.config.ts',
    file,
  ];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, TEST_DATABASE_URL: inject('testServer').adminUrl, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { output: out + err, code: code as number };
}

test.runIf(process.platform === 'linux')(
  'a test file fails when it leaves a child process behind',
  async () => {
    const { output, code } = await run('child.leaky.ts');
    expect(output).toMatch(/Child processes were left running: \d+ sleep 600/);
    expect(code).toBe(1);
  },
);

test('a test file fails when it leaves a connection to its database open', async () => {
  const { output, code } = await run('connection.leaky.ts');
  expect(output).toMatch(/Connections to the test database were left open: .*forgotten/);
  expect(code).toBe(1);
});

test('a tidy test file passes', async () => {
  const { output, code } = await run('tidy.leaky.ts');
  expect(output).toContain('1 passed');
  expect(code).toBe(0);
});

test('test databases are apart from one another, also when many are made at once', async () => {
  const databases = await Promise.all(Array.from({ length: 8 }, () => testDatabase()));
  await Promise.all(
    databases.map(({ adminUrl }, index) => runAs(adminUrl, `CREATE TABLE mine AS SELECT ${index} AS number`)),
  );
  const numbers = await Promise.all(
    databases.map(({ adminUrl }) => runAs(adminUrl, 'SELECT number FROM mine')),
  );
  expect(numbers.map(({ rows }) => rows)).toEqual(databases.map((_, number) => [{ number }]));
  await databases[0]!.drop();
  await expect(runAs(databases[0]!.url, 'SELECT 1')).rejects.toThrow(/does not exist/);
});
