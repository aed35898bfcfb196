import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

type Entry = { optionalDependencies?: Record<string, string>; resolved?: string; link?: boolean };

const { packages } = JSON.parse(
  readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
) as {
  packages: Record<string, Entry>;
};

/** Where Node would find a package from within another: in its own node_modules, or in one further up. */
function isLocked(from: string, name: string): boolean {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (`${folder ? `${folder}/` : ''}node_modules/${name}` in packages) return true;
    if (folder === '') return false;
  }
}

// `npm ci` refuses a lockfile that leaves out the packages of other platforms, which `npm install` does when the
// registry at hand does not have them.
test('the lockfile names the optional packages of every platform', () => {
  const missing = Object.entries(packages).flatMap(([path, entry]) =>
    Object.keys(entry.optionalDependencies ?? {}).filter((name) => !isLocked(path, name)),
  );
  expect(missing).toEqual([]);
});

test('the lockfile leaves open which registry the packages come from', () => {
  expect(Object.values(packages).filter((entry) => entry.resolved && !entry.link)).toEqual([]);
});
