// Fails if sibling folders have an import cycle, including type imports: the folders of a cycle can only be understood, tested
// and moved together. Files beside the folders count as separate units.
//
//   node scripts/check-folders.mjs [FOLDER...]
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';

const FOLDERS = ['src', 'src/domain', 'src/web', 'apps/console/src', 'apps/console/src/screens'];
const IMPORT = /(?:\bfrom|\bimport|\bimport\()\s*'(\.[^'\n]+)'/g;
const MOST_SHOWN = 10;

/** Every handwritten source file below the folder. */
function sourceFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.split(sep).some((part) => part === 'generated' || part === 'dist'));
}

/** The imports between the folder's direct children: from, to, and the files on both ends. */
function importsBetween(folder) {
  const unitOf = (file) => relative(folder, file).split(sep)[0];
  const isInside = (file) => file.startsWith(folder + sep);
  return sourceFiles(folder).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(IMPORT)]
      .map(([, path]) => normalize(join(dirname(file), path)))
      .filter((target) => isInside(target) && unitOf(target) !== unitOf(file))
      .map((target) => ({ from: unitOf(file), to: unitOf(target), file, target })),
  );
}

/** The shortest cycle through a unit, as the units on it; null if there is none. */
function circleThrough(unit, imported) {
  const reachedFrom = new Map();
  const waiting = [unit];
  for (const current of waiting) {
    for (const next of imported.get(current) ?? []) {
      if (next === unit) return pathTo(current, reachedFrom);
      if (reachedFrom.has(next)) continue;
      reachedFrom.set(next, current);
      waiting.push(next);
    }
  }
  return null;
}

function pathTo(unit, reachedFrom) {
  const path = [unit];
  while (reachedFrom.has(path[0])) path.unshift(reachedFrom.get(path[0]));
  return path;
}

/** The shortest cycle between children of the folder, with the imports that cause it; null if there is none. */
function findCircle(folder) {
  const imports = importsBetween(folder);
  const imported = new Map(
    [...Map.groupBy(imports, ({ from }) => from)].map(([from, of]) => [
      from,
      new Set(of.map(({ to }) => to)),
    ]),
  );
  const circles = [...imported.keys()]
    .sort()
    .map((unit) => circleThrough(unit, imported))
    .filter(Boolean);
  const circle = circles.sort((one, other) => one.length - other.length)[0];
  if (!circle) return null;
  const edges = circle.map((from, at) => ({ from, to: circle[(at + 1) % circle.length] }));
  return { circle, edges: edges.map((edge) => ({ ...edge, files: filesOf(edge, imports) })) };
}

const filesOf = ({ from, to }, imports) =>
  imports.filter((each) => each.from === from && each.to === to).map(({ file, target }) => [file, target]);

const given = process.argv.slice(2);
let failed = false;
for (const folder of given.length > 0 ? given : FOLDERS) {
  const found = findCircle(normalize(folder));
  if (!found) continue;
  failed = true;
  const lines = [`${folder}: ${[...found.circle, found.circle[0]].join(' -> ')}`];
  for (const { from, to, files } of found.edges) {
    lines.push(`  ${from} -> ${to}`);
    for (const [file, target] of files.slice(0, MOST_SHOWN)) lines.push(`    ${file} imports ${target}`);
    if (files.length > MOST_SHOWN) lines.push(`    and ${files.length - MOST_SHOWN} more`);
  }
  process.stderr.write(`${lines.join('\n')}\n`);
}
if (failed) {
  process.stderr.write(
    'Folders must not import each other in a circle: move the shared part down, or the user up.\n',
  );
  process.exitCode = 1;
}
