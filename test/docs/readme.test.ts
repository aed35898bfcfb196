import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '../helpers/database.ts';
import { startServer } from '../helpers/process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The parts of the tour that a reader pastes into a shell. */
const tour = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1]!).join('\n');

test('the tour can be pasted as it stands', { timeout: 120_000 }, async () => {
  const { url } = await testDatabase();
  const server = await startServer({ env: { DATABASE_URL: url, SEED_DEMO: '1' } });
  onTestFinished(async () => void (await server.end()));
  const { stdout } = await promisify(execFile)('bash', ['-eu', '-o', 'pipefail', '-c', tour], {
    cwd: root,
    env: { ...process.env, BASE: server.url },
  });
  expect(stdout).toContain('"email":"admin@demo.test"');
  expect(stdout).toContain('"centerDomain":"demo-rehab"');
  expect(stdout).toMatch(/"sealedHash":"sha256:[0-9a-f]{64}"/);
  expect(stdout).toMatch(/\/verify\/evt_/);
  expect(stdout).toMatch(/"valid":true,"chainLength":\d+/);
});

test('the configuration table names every variable, and nothing that is none', () => {
  const source = readFileSync(new URL('../../src/config.ts', import.meta.url), 'utf8');
  const schema = source.slice(source.indexOf('const environment = '), source.indexOf('/** Seconds before'));
  const variables = [...schema.matchAll(/^ {2}([A-Z_]+):/gm)].map((match) => match[1]!);
  const table = readme.slice(readme.indexOf('## Configuration'), readme.indexOf('## Several processes'));
  const documented = [...table.matchAll(/^\|([^|]+)\|/gm)].flatMap((row) =>
    [...row[1]!.matchAll(/`([A-Z_]+)`/g)].map((match) => match[1]!),
  );
  expect(documented.toSorted()).toEqual(variables.toSorted());
});
