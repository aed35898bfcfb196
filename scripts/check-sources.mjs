// Compares lists that people keep with the sources they are about: code that works across tenants, tests that documents name,
// and the hashes of the packages to install.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { acrossTenants } from '../src/db/across-tenants.ts';

const root = resolve(import.meta.dirname, '..');
const read = (path) => readFileSync(join(root, path), 'utf8');
const faults = [];

/** Files outside of src/db that work on the rows of several centers, and the entries that allow it. */
const users = readdirSync(join(root, 'src'), { recursive: true })
  .filter((file) => file.endsWith('.ts') && !file.startsWith('db/'))
  .filter((file) => /\bacrossTenants\b/.test(read(`src/${file}`)));
const entries = Object.keys(acrossTenants);
const covers = (entry, file) => (entry.endsWith('/') ? file.startsWith(entry) : file === entry);
for (const file of users.filter((user) => !entries.some((entry) => covers(entry, user))))
  faults.push(`src/${file} works across tenants: declare its centers, or add it to src/db/across-tenants.ts`);
for (const entry of entries.filter((each) => !users.some((file) => covers(each, file))))
  faults.push(
    `src/db/across-tenants.ts lists ${entry}, which does not work across tenants: remove the entry`,
  );

/** Rows of the tables about attackers and attacks, which each name a test: `file`: “title”. */
const NAMED_TEST = /`(test\/[\w./-]+\.test\.ts)`: “([^”]+)”/g;
const security = read('docs/security.md');
const threats = security
  .slice(security.indexOf('## Threats'), security.indexOf('## Limits'))
  .split('\n')
  .filter((line) => line.startsWith('|') && !/^\|\s*-|^\| attack \|/.test(line));
for (const row of threats.filter((line) => line.search(NAMED_TEST) === -1))
  faults.push(`docs/security.md names no test for a threat: ${row}`);
for (const [reference, file, title] of security.matchAll(NAMED_TEST)) {
  // Escaped quotes in the source are plain quotes in the title.
  const source = existsSync(join(root, file)) ? read(file).replaceAll("\\'", "'") : '';
  if (!source.includes(title)) faults.push(`docs/security.md names a test that does not exist: ${reference}`);
}

/** The jobs of the console guide, and the titles of browser tests: `Job: Name. …` or `Jobs: Name; Other name. …`. */
const guide = read('docs/console.md').split('\n## Jobs\n')[1]?.split('\n## ')[0] ?? '';
const documented = [...guide.matchAll(/^### (.+)$/gm)].map(([, name]) => name);
const tested = readdirSync(join(root, 'test/web/console'))
  .filter((file) => file.endsWith('.test.ts'))
  .flatMap((file) => [...read(`test/web/console/${file}`).matchAll(/\btest\(\s*'Jobs?: ([^.']+)\./g)])
  .flatMap(([, names]) => names.split('; '));
for (const name of documented.filter((each) => !tested.includes(each)))
  faults.push(`docs/console.md describes the job "${name}", which no browser test names`);
for (const name of tested.filter((each) => !documented.includes(each)))
  faults.push(`A browser test names the job "${name}", which docs/console.md does not describe`);

/**
 * Packages that are not in the registry that the lockfile was written with, so their hash could not be recorded. They are the
 * linter on other systems: no production install and no check on Linux downloads them.
 */
const WITHOUT_INTEGRITY = [
  'android-arm64',
  'android-x64',
  'darwin-arm64',
  'darwin-x64',
  'win32-arm64',
  'win32-x64',
].map((system) => `node_modules/@biomejs/cli-${system}`);
const { packages } = JSON.parse(read('package-lock.json'));
for (const [path, { integrity, link, resolved }] of Object.entries(packages)) {
  if (!path.includes('node_modules/') || link) continue;
  if (!integrity?.startsWith('sha512-') !== WITHOUT_INTEGRITY.includes(path))
    faults.push(
      integrity
        ? `package-lock.json has the integrity of ${path}: remove it from the exceptions`
        : `package-lock.json has no integrity for ${path}: add what "npm view NAME@VERSION dist.integrity" prints`,
    );
  if (resolved) faults.push(`package-lock.json records a download address for ${path}: remove "resolved"`);
}

if (threats.length === 0 || documented.length === 0)
  faults.push('docs/security.md or docs/console.md has no table of threats or list of jobs');
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
