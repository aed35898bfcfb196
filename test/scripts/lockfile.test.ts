import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

type Entry = {
  optionalDependencies?: Record<string, string>;
  resolved?: string;
  link?: boolean;
  inBundle?: boolean;
  integrity?: string;
  optional?: boolean;
  cpu?: string[];
};

const { packages } = JSON.parse(
  readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
) as {
  packages: Record<string, Entry>;
};

/** Where Node would find a package from within another: in its own node_modules, or further up. */
function isLocked(from: string, name: string): boolean {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (`${folder ? `${folder}/` : ''}node_modules/${name}` in packages) return true;
    if (folder === '') return false;
  }
}

// `npm ci` rejects a lockfile without the packages of other platforms, which `npm install` omits if the registry lacks them.
test('the lockfile contains the optional packages of every platform', () => {
  const missing = Object.entries(packages).flatMap(([path, entry]) =>
    Object.keys(entry.optionalDependencies ?? {}).filter((name) => !isLocked(path, name)),
  );
  expect(missing).toEqual([]);
});

test('the lockfile contains no registry URLs', () => {
  expect(Object.values(packages).filter((entry) => entry.resolved && !entry.link)).toEqual([]);
});

/** Build tool binaries for other platforms that the registry lacked: npm has no digest of them. */
const FOREIGN_BINARY = /^node_modules\/@(biomejs\/cli|rolldown\/binding)-/;

test('every package has an integrity hash, except binaries of other platforms', () => {
  const without = Object.entries(packages).flatMap(([path, { link, inBundle, integrity, optional, cpu }]) => {
    const isPackage = path.includes('node_modules/') && !link && !inBundle;
    const isForeign = optional && cpu && FOREIGN_BINARY.test(path);
    return isPackage && !/^sha512-/.test(integrity ?? (isForeign ? 'sha512-' : '')) ? [path] : [];
  });
  expect(without).toEqual([]);
});
