// Prepares a checkout: installs the packages, generates the database client and builds the console, each only when needed.
// In production, the packages that only generate and build stay for that long: what is generated and built needs none of them.
// Plain JavaScript without dependencies: on a fresh clone it runs on the Node that came with npm.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { tryLock } from '../src/lib/pid-lock.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');
const binaries = join(modules, '.bin');
const platformFile = join(modules, '.countersign-platform');
const platform = `${process.platform}-${process.arch}`;
const generated = join(root, 'src/db/generated');
const generatedFiles = ['prisma/client.ts', 'pothos-types.ts'].map((file) => join(generated, file));
const generatedFrom = join(generated, '.generated-from');
/** The types of the GraphQL schema, for the documents of the console and for those of REST and MCP. */
const schemaTypes = ['apps/console/src/generated', 'src/schema/generated'].map((folder) => ({
  file: join(root, folder, 'introspection.d.ts'),
  from: join(root, folder, '.generated-from'),
}));
const consoleBuilt = join(root, 'generated/console');
const consoleBuiltFrom = join(root, 'generated/.console-built-from');

// Checked first for a short message: older versions cannot install all packages.
if (Number.parseInt(process.versions.node, 10) < 20) {
  process.stderr.write(
    `Countersign needs Node 20 or later to install; this is ${process.versions.node} (it then runs on a Node of its own)\n`,
  );
  process.exit(1);
}

const isProduction = process.env.NODE_ENV === 'production';

const outputs = [
  [clientIsCurrent, generateClient],
  // Only the type checker reads them.
  ...(isProduction ? [] : [[schemaTypesAreCurrent, generateSchemaTypes]]),
  // `npm run dev` serves the console from its sources.
  ...(process.argv.includes('--no-console') ? [] : [[consoleIsCurrent, buildConsole]]),
];
const outputsAreCurrent = () => outputs.every(([isCurrent]) => isCurrent());

if (!packagesAreCurrent(!isProduction) || !outputsAreCurrent()) {
  const lock = await waitForLock(join(root, '.prepare.lock'));
  try {
    process.exitCode = prepare() ? 0 : 1;
  } finally {
    lock.release();
  }
}

/** Checks again, because the previous holder of the lock may have done the work. */
function prepare() {
  const withDev = !isProduction || !outputsAreCurrent();
  const mustInstall = !packagesAreCurrent(withDev);
  if (mustInstall && !installPackages(withDev)) return false;
  if (!outputs.every(([isCurrent, make]) => isCurrent() || make())) return false;
  return isProduction && mustInstall && withDev ? removeDevPackages() : true;
}

function packagesAreCurrent(withDev) {
  // A linked folder belongs to another checkout: this one uses it and leaves it alone.
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) return true;
  // npm writes this list after a successful install, so an interrupted one has none; it also covers `npm install`.
  const installed = readLockfile(join(modules, '.package-lock.json'));
  if (!installed) return false;
  if (existsSync(platformFile) && readFileSync(platformFile, 'utf8') !== platform) return false;
  const wanted = readLockfile(join(root, 'package-lock.json'));
  return Object.entries(wanted.packages).every(([path, entry]) => {
    if (path === '') return true;
    const found = installed.packages[path];
    // Of a linked folder, only its own entry says whether it is for development. Most optional packages are for other platforms.
    const { dev } = entry.link ? wanted.packages[entry.resolved] : entry;
    if (!found) return entry.optional || (!withDev && dev);
    // `npm install --package-lock-only` records packages without installing them.
    if (!entry.optional && !existsSync(join(root, path))) return false;
    return found.version === entry.version && (!entry.integrity || found.integrity === entry.integrity);
  });
}

function installPackages(withDev) {
  say('Installing packages (npm ci)');
  if (!npm('ci', withDev ? '--include=dev' : '--omit=dev')) return false;
  mkdirSync(modules, { recursive: true });
  writeFileSync(platformFile, platform);
  return true;
}

function removeDevPackages() {
  say('Removing packages that only the build needs (npm prune)');
  return npm('prune', '--omit=dev');
}

/** npm must not run on the Node inside the folder that it is about to remove. */
function npm(...args) {
  const path = process.env.PATH.split(delimiter).filter((entry) => resolve(entry) !== binaries);
  return run('npm', [...args, '--no-audit', '--no-fund'], { PATH: path.join(delimiter) });
}

function clientIsCurrent() {
  return generatedFiles.every((file) => existsSync(file)) && isMadeFrom(generatedFrom, clientSources());
}

function generateClient() {
  say('Generating the database client (prisma generate)');
  const sources = clientSources();
  const generatedAll = run(join(binaries, 'prisma'), ['generate'], {
    // Prisma starts its generators by name.
    PATH: [binaries, process.env.PATH].join(delimiter),
    // Generating never runs the schema engine; naming any file keeps Prisma from downloading one.
    PRISMA_SCHEMA_ENGINE_BINARY: join(root, 'package.json'),
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
  });
  if (generatedAll) writeFileSync(generatedFrom, sources);
  return generatedAll;
}

/** A fingerprint of all inputs of the generators: the schema and the generators' versions. */
function clientSources() {
  const hash = createHash('sha256');
  const folder = join(root, 'prisma');
  const schemas = readdirSync(folder).filter((file) => file.endsWith('.prisma'));
  for (const file of schemas.sort()) hash.update(`${file}\0${readFileSync(join(folder, file), 'utf8')}\0`);
  const { packages } = readLockfile(join(root, 'package-lock.json'));
  for (const name of ['prisma', '@prisma/client', '@pothos/plugin-prisma']) {
    hash.update(`${name} ${packages[`node_modules/${name}`]?.version}\0`);
  }
  return hash.digest('hex');
}

function schemaTypesAreCurrent() {
  const source = schemaSource();
  return schemaTypes.every(({ file, from }) => existsSync(file) && isMadeFrom(from, source));
}

function generateSchemaTypes() {
  const source = schemaSource();
  const script = join(root, 'scripts/schema-types.mjs');
  const files = schemaTypes.map(({ file }) => file);
  if (!run(ownNode(), [script, join(root, 'schema.graphql'), ...files], {})) return false;
  for (const { from } of schemaTypes) writeFileSync(from, source);
  return true;
}

function schemaSource() {
  return fingerprint(['schema.graphql', 'scripts/schema-types.mjs']);
}

function consoleIsCurrent() {
  const sources = consoleSources();
  return isMadeFrom(consoleBuiltFrom, sources) && existsSync(join(consoleBuilt, sources, 'index.html'));
}

/** Into a new folder, so that a server of the previous build still finds all its files. */
function buildConsole() {
  say('Building the console (vite build)');
  const sources = consoleSources();
  const before = existsSync(consoleBuiltFrom) ? readFileSync(consoleBuiltFrom, 'utf8') : undefined;
  const target = join(consoleBuilt, sources);
  const built = run(ownNode(), [join(root, 'apps/console/build.mjs'), target], { NODE_ENV: 'production' });
  if (!built) return false;
  // Atomic: a reader sees the old or the new name.
  writeFileSync(`${consoleBuiltFrom}.new`, sources);
  renameSync(`${consoleBuiltFrom}.new`, consoleBuiltFrom);
  for (const name of readdirSync(consoleBuilt)) {
    if (name !== sources && name !== before) rmSync(join(consoleBuilt, name), { recursive: true });
  }
  return true;
}

/** The inputs of the console: its sources, the proof kit and the packages. */
function consoleSources() {
  const files = ['apps/console', 'packages/proof-kit/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(folderOf(entry), entry.name).slice(root.length + 1))
      .filter((file) => !/\/(?:generated|node_modules)\/|\.tsbuildinfo$/.test(file)),
  );
  return fingerprint([...files.sort(), 'package-lock.json']);
}

/** Before Node 20.12 it had another name. */
function folderOf(entry) {
  return entry.parentPath ?? entry.path;
}

function fingerprint(files) {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0');
  return hash.digest('hex');
}

function isMadeFrom(file, sources) {
  return existsSync(file) && readFileSync(file, 'utf8') === sources;
}

/** Packages are installed by now, including a recent Node. */
function ownNode() {
  const own = join(binaries, 'node');
  return existsSync(own) ? own : process.execPath;
}

function run(command, args, environment) {
  const result = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (result.status === 0) return true;
  process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}\n`);
  return false;
}

async function waitForLock(path) {
  for (let announced = false; ; announced = true) {
    const result = tryLock(path);
    if (result.lock) return result.lock;
    if (!announced) say(`Waiting for process ${result.holder}, which is preparing this checkout`);
    await sleep(100);
  }
}

function readLockfile(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
