// Fails if the children of any folder of src, packages or apps import each other in a circle, including type imports: the
// members of a circle can only be understood, tested and moved together. Files beside folders count as children too.
//
//   node scripts/check-folders.mjs
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';

const ROOTS = ['src', 'packages', 'apps'];
const IGNORED = new Set(['generated', 'dist', 'node_modules']);
/** Relative imports, and those of packages of this repository by name. */
const IMPORT = /(?:\bfrom|\bimport|\bimport\()\s*'(\.[^'\n]+|@countersign\/[^'\n]+)'/g;
const MOST_SHOWN = 10;

/** Every handwritten source file below the folder. */
function sourceFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return IGNORED.has(entry.name) ? [] : sourceFiles(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

function importedBy(file) {
  return [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, path]) =>
    path.startsWith('.')
      ? normalize(join(dirname(file), path))
      : path.replace('@countersign/', `packages${sep}`),
  );
}

/** An import as an edge between two children of the innermost folder that holds both files. */
function edgeOf(file, target) {
  const [from, to] = [file.split(sep), target.split(sep)];
  const depth = from.findIndex((part, at) => part !== to[at]);
  return { folder: from.slice(0, depth).join(sep), from: from[depth], to: to[depth], file, target };
}

/** The shortest circle through a child, as the children on it; null if there is none. */
function circleThrough(child, imported) {
  const reachedFrom = new Map();
  const waiting = [child];
  for (const current of waiting) {
    for (const next of imported.get(current) ?? []) {
      if (next === child) return pathTo(current, reachedFrom);
      if (reachedFrom.has(next)) continue;
      reachedFrom.set(next, current);
      waiting.push(next);
    }
  }
  return null;
}

function pathTo(child, reachedFrom) {
  const path = [child];
  while (reachedFrom.has(path[0])) path.unshift(reachedFrom.get(path[0]));
  return path;
}

function shortestCircle(edges) {
  const imported = Map.groupBy(edges, ({ from }) => from);
  for (const [from, of] of imported) imported.set(from, new Set(of.map(({ to }) => to)));
  const circles = [...imported.keys()].sort().map((child) => circleThrough(child, imported));
  return circles.filter(Boolean).sort((one, other) => one.length - other.length)[0] ?? null;
}

/** The circle with the imports that cause it. */
function describe(folder, circle, edges) {
  const lines = [`${folder}: ${[...circle, circle[0]].join(' -> ')}`];
  circle.forEach((from, at) => {
    const to = circle[(at + 1) % circle.length];
    const imports = edges.filter((edge) => edge.from === from && edge.to === to);
    lines.push(`  ${from} -> ${to}`);
    for (const { file, target } of imports.slice(0, MOST_SHOWN)) lines.push(`    ${file} imports ${target}`);
    if (imports.length > MOST_SHOWN) lines.push(`    and ${imports.length - MOST_SHOWN} more`);
  });
  return lines.join('\n');
}

const files = ROOTS.filter((root) => existsSync(root)).flatMap(sourceFiles);
const edges = files
  .flatMap((file) => importedBy(file).map((target) => edgeOf(file, target)))
  .filter(({ folder, to }) => folder !== '' && to !== undefined);
const found = [...Map.groupBy(edges, ({ folder }) => folder)].flatMap(([folder, own]) => {
  const circle = shortestCircle(own);
  return circle ? [describe(folder, circle, own)] : [];
});
if (found.length > 0) {
  const advice =
    'The children of a folder must not import each other in a circle: move the shared part down, or the user up.';
  process.stderr.write(`${[...found, advice].join('\n')}\n`);
  process.exitCode = 1;
}
