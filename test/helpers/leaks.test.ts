import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, inject, onTestFinished, test } from 'vitest';
import { testDatabase } from './database.ts';
import { runAs } from './server.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Report {
  testResults: { name: string; status: string; assertionResults: { status: string }[] }[];
}

/** Runs the files in fixtures as a separate test run on the running server. */
async function run(files: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'leaky-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const report = join(folder, 'report.json');
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...['--config', 'test/helpers/fixtures/leaky.config.ts'],
    ...['--reporter=default', '--reporter=json', `--outputFile=${report}`],
    ...files,
  ];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: {
      ...process.env,
      TEST_SERVER: JSON.stringify(inject('testServer')),
      LEAK_PATIENCE_MS: '500',
      NO_COLOR: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as Report;
  const byFile = testResults.map(({ name, status, assertionResults }) => [
    basename(name),
    [status, ...assertionResults.map((test) => test.status)],
  ]);
  return { output: out + err, code: code as number, files: Object.fromEntries(byFile) };
}

// Child processes can be listed only on Linux.
const canSeeChildren = process.platform === 'linux';

test('a test file fails if it leaves a child process or database connection behind', async () => {
  const leaky = canSeeChildren ? ['child.leaky.ts', 'connection.leaky.ts'] : ['connection.leaky.ts'];
  const { output, code, files } = await run([...leaky, 'tidy.leaky.ts']);
  expect(files, output).toEqual({
    ...Object.fromEntries(leaky.map((name) => [name, ['failed', 'passed']])),
    'tidy.leaky.ts': ['passed', 'passed'],
  });
  if (canSeeChildren) expect(output).toMatch(/Child processes were left running: \d+ sleep 600/);
  expect(output).toMatch(/Connections to the test database were left open: .*forgotten/);
  expect(code).toBe(1);
}, 120_000);

test('test databases are isolated, even if many are created concurrently', async () => {
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
