import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const installing = 'Installing packages (npm ci)\n';
const generating = 'Generating the database client (prisma generate)\n';
const building = 'Building the console (vite build)\n';
const removing = 'Removing packages that only the build needs (npm prune)\n';
let folder: string;
let checkout: string;

/**
 * A small checkout with bundled packages, so that npm needs no registry; its `prisma` and console scripts write the expected
 * output. Each test works in a copy, either fresh or prepared.
 */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-checkout-'));
  checkout = join(folder, 'fresh');
  for (const file of ['scripts/prepare.mjs', 'src/lib/pid-lock.mjs'])
    cpSync(join(repository, file), join(checkout, file));
  write('prisma/schema.prisma', '// models\n');
  write('packages/prisma/package.json', JSON.stringify({ name: 'prisma', version: '1.0.0', bin: 'cli.cjs' }));
  write(
    'packages/prisma/cli.cjs',
    `#!/usr/bin/env node
    const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
    mkdirSync('src/db/generated/prisma', { recursive: true });
    for (const file of ['prisma/client.ts', 'pothos-types.ts']) writeFileSync('src/db/generated/' + file, '');
    appendFileSync('generated.log', process.argv[2] + ' ');`,
  );
  for (const name of ['runtime', 'extra'])
    write(`packages/${name}/package.json`, JSON.stringify({ name, version: '1.0.0' }));
  write('schema.graphql', 'type Query { me: String }\n');
  write('apps/console/src/main.tsx', 'start();\n');
  write('packages/proof-kit/src/index.ts', 'export {};\n');
  write(
    'scripts/schema-types.mjs',
    `import { mkdirSync, writeFileSync } from 'node:fs';
    import { dirname } from 'node:path';
    for (const target of process.argv.slice(3)) {
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, 'export type introspection = {};');
    }`,
  );
  write(
    'apps/console/build.mjs',
    `import { mkdirSync, writeFileSync } from 'node:fs';
    mkdirSync(process.argv[2], { recursive: true });
    writeFileSync(process.argv[2] + '/index.html', 'console');`,
  );
  locked.more = lockPackages({ devDependencies: ['prisma'], dependencies: ['runtime', 'extra'] });
  locked.usual = lockPackages({ devDependencies: ['prisma'], dependencies: ['runtime'] });
  workIn('done', 'fresh');
  await prepare();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The input of npm: package.json and the lockfile. */
const locked: Record<'usual' | 'more', Record<string, string>> = { usual: {}, more: {} };

function ask(packages: keyof typeof locked) {
  for (const [name, content] of Object.entries(locked[packages])) write(name, content);
}

function workIn(name: string, copyOf: string) {
  checkout = join(folder, name);
  cpSync(join(folder, copyOf), checkout, { recursive: true, verbatimSymlinks: true });
}

let copies = 0;
const begin = (copyOf: 'fresh' | 'done') => workIn(`copy-${copies++}`, copyOf);

function write(path: string, content: string) {
  mkdirSync(dirname(join(checkout, path)), { recursive: true });
  writeFileSync(join(checkout, path), content, { mode: 0o755 });
}

function lockPackages(names: Record<'dependencies' | 'devDependencies', string[]>): Record<string, string> {
  const addresses = Object.entries(names).map(([kind, each]) => [
    kind,
    Object.fromEntries(each.map((name) => [name, `file:packages/${name}`])),
  ]);
  write(
    'package.json',
    JSON.stringify({ name: 'checkout', version: '1.0.0', ...Object.fromEntries(addresses) }),
  );
  execFileSync('npm', ['install', '--package-lock-only', '--offline'], { cwd: checkout, stdio: 'ignore' });
  const files = ['package.json', 'package-lock.json'];
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(checkout, name), 'utf8')]));
}

async function prepare(environment: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, ['scripts/prepare.mjs'], {
    cwd: checkout,
    env: { ...process.env, npm_config_offline: 'true', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { out, err, code: code as number };
}

test('installs and generates on a fresh checkout, then does and prints nothing', async () => {
  begin('fresh');
  expect(await prepare()).toEqual({ out: installing + generating + building, err: '', code: 0 });
  expect(existsSync(join(checkout, 'node_modules/prisma/package.json'))).toBe(true);
  expect(await prepare()).toEqual({ out: '', err: '', code: 0 });
});

test('installs again when the lockfile changed', async () => {
  begin('done');
  ask('more');
  expect((await prepare()).out).toBe(installing + building);
  expect(existsSync(join(checkout, 'node_modules/extra/package.json'))).toBe(true);
});

test('accepts packages that were installed by hand', async () => {
  begin('fresh');
  execFileSync('npm', ['ci', '--offline'], { cwd: checkout, stdio: 'ignore' });
  expect((await prepare()).out).toBe(generating + building);
});

test('installs again when the packages are for another platform', async () => {
  begin('done');
  writeFileSync(join(checkout, 'node_modules/.countersign-platform'), 'plan9-mips');
  expect((await prepare()).out).toBe(installing);
});

test('generates again when the schema changed or the output is missing', async () => {
  begin('done');
  appendFileSync(join(checkout, 'prisma/schema.prisma'), '// one more\n');
  expect((await prepare()).out).toBe(generating);
  rmSync(join(checkout, 'src/db/generated/pothos-types.ts'));
  expect((await prepare()).out).toBe(generating);
});

const builds = () => join(checkout, 'generated/console');
const currentBuild = () => readFileSync(join(checkout, 'generated/.console-built-from'), 'utf8');

test('builds the console again when its sources changed or the output is missing, not for type changes', async () => {
  begin('done');
  for (const source of ['apps/console/src/main.tsx', 'packages/proof-kit/src/index.ts']) {
    appendFileSync(join(checkout, source), '// one more\n');
    const served = currentBuild();
    expect((await prepare()).out).toBe(building);
    expect(currentBuild()).not.toBe(served);
    // A service that started with the previous build still finds it; older builds are removed.
    expect(readdirSync(builds()).sort()).toEqual([served, currentBuild()].sort());
  }
  rmSync(join(builds(), currentBuild(), 'index.html'));
  expect((await prepare()).out).toBe(building);
  appendFileSync(join(checkout, 'schema.graphql'), '# one more\n');
  rmSync(join(checkout, 'apps/console/src/generated/introspection.d.ts'));
  expect((await prepare()).out).toBe('');
  expect(existsSync(join(checkout, 'apps/console/src/generated/introspection.d.ts'))).toBe(true);
});

const installedPackages = () =>
  readdirSync(join(checkout, 'node_modules')).filter((name) => !name.startsWith('.'));

test('production has the packages that build only while it builds', async () => {
  const production = { NODE_ENV: 'production' };
  begin('fresh');
  const { out, code } = await prepare(production);
  expect({ out, code }).toEqual({ out: installing + generating + building + removing, code: 0 });
  expect(installedPackages()).toEqual(['runtime']);
  expect((await prepare(production)).out).toBe('');
  const built = currentBuild();
  // Where it was built elsewhere, production never installs them.
  rmSync(join(checkout, 'node_modules'), { recursive: true });
  expect((await prepare(production)).out).toBe(installing);
  expect(installedPackages()).toEqual(['runtime']);
  expect(currentBuild()).toBe(built);
  appendFileSync(join(checkout, 'apps/console/src/main.tsx'), '// one more\n');
  expect((await prepare(production)).out).toBe(installing + building + removing);
  expect(installedPackages()).toEqual(['runtime']);
});

test('production keeps development packages that were installed before', async () => {
  begin('done');
  appendFileSync(join(checkout, 'apps/console/src/main.tsx'), '// one more\n');
  expect((await prepare({ NODE_ENV: 'production' })).out).toBe(building);
  expect(installedPackages()).toContain('prisma');
});

test('never touches linked packages, whatever the lockfile says', async () => {
  begin('done');
  renameSync(join(checkout, 'node_modules'), join(checkout, 'elsewhere'));
  symlinkSync(join(checkout, 'elsewhere'), join(checkout, 'node_modules'));
  ask('more');
  rmSync(join(checkout, 'elsewhere/extra'), { force: true });
  expect((await prepare()).out).toBe(building);
});

test('does the work once when two processes run concurrently', async () => {
  begin('fresh');
  const results = await Promise.all([prepare(), prepare(), prepare()]);
  expect(results.map((result) => result.code)).toEqual([0, 0, 0]);
  expect(results.filter((result) => result.out.includes(installing))).toHaveLength(1);
  expect(readFileSync(join(checkout, 'generated.log'), 'utf8')).toBe('generate ');
});

test('prints the output of npm when it fails, and retries next time', async () => {
  begin('fresh');
  write(
    'package.json',
    JSON.stringify({ name: 'checkout', version: '1.0.0', dependencies: { missing: '1.0.0' } }),
  );
  const { out, err, code } = await prepare();
  expect(out).toBe(installing);
  expect(err).toContain('npm error');
  expect(code).toBe(1);
  ask('usual');
  expect((await prepare()).code).toBe(0);
});

test('an old Node gets a one-line error before anything else', () => {
  begin('fresh');
  const script = fileURLToPath(new URL('../../scripts/prepare.mjs', import.meta.url));
  write(
    'old.cjs',
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } });",
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-r', join(checkout, 'old.cjs'), script], {
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^Countersign needs Node 20 or later .* 18\.20\.4 .*\n$/);
});
