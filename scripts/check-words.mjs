// Fails when text that users read contains words that this project avoids (see CONTRIBUTING.md, "Writing"). The list is
// short on purpose: it catches relapses and does not replace reading.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';

const root = resolve(import.meta.dirname, '..');

const AVOID = [
  [/\bwhoever\b/i, 'name the person: "the caller", "the approver", "the operator"'],
  [/\b(?:nobody|somebody)\b/i, 'name the person, or use "no one" and "someone" in conversation only'],
  [
    /\bstands (?:on|in|behind|at|there|beside|so|here)\b/i,
    'say what it is: "is on the chain", "has the status"',
  ],
  [/\bof (?:its|their) own\b/i, 'say "its own …", "separate" or leave it out'],
  [/\bby and by\b|\bsign of life\b|\bthere is no such\b/i, 'use "retry", "heartbeat", "not found"'],
  [/\b(?:organis(?:e|ation)|colour|recognis(?:e|ed)|licence|cancelled)\b/i, 'use American spelling'],
];

/** Sentences that may keep such a word, with the reason. */
const ALLOWED = new Set([
  // The contract spells these event and status names.
  'CANCELLED',
]);

/** Whole files of text. */
const texts = [
  ...filesIn('docs', /\.md$/),
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'bench/README.md',
  'packages/client/README.md',
  'schema.graphql',
  'openapi.json',
];
/** Sources of which only string literals and JSX text count. */
const sources = filesIn('apps/console/src', /\.tsx?$/);

function filesIn(folder, pattern) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(folder, name))
    .filter(
      (path) => pattern.test(path) && !path.includes('generated') && statSync(join(root, path)).isFile(),
    );
}

function* linesOf(path) {
  const lines = readFileSync(join(root, path), 'utf8').split('\n');
  for (const [i, line] of lines.entries()) yield [i + 1, line];
}

/** Markdown without code and without test titles. */
const proseOf = (line) => line.replace(/`[^`]*`(?:: “[^”]*”)?/g, '');

const isComment = (line) => /^\s*(?:\/\/|\/?\*)/.test(line);
const isCode = (line) => !/['"`>]|^\s*[A-Z][^(){};=]*$/.test(line);

const found = [];
for (const [paths, skip] of [
  [texts, () => false],
  [sources, (line) => isComment(line) || isCode(line)],
]) {
  for (const path of paths) {
    for (const [number, line] of linesOf(path)) {
      if (skip(line)) continue;
      for (const [pattern, advice] of AVOID) {
        const [word] = pattern.exec(path.endsWith('.md') ? proseOf(line) : line) ?? [];
        if (word && !ALLOWED.has(word)) found.push(`${path}:${number}: "${word}": ${advice}`);
      }
    }
  }
}
if (found.length > 0) {
  process.stderr.write(`${found.join('\n')}\n${found.length} words to avoid\n`);
  process.exitCode = 1;
}
