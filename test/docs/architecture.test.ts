import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { guideNames } from '../../src/web/docs/guides.ts';
import { documents } from './blocks.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

const texts = [...documents, 'CONTRIBUTING.md', 'SECURITY.md', 'bench/README.md'];

test('every file named in a document exists', () => {
  const named = texts.flatMap((text) =>
    [
      ...read(text).matchAll(
        /(?<![\w/-])(?:src|apps|packages|test|bench|scripts|prisma|verifiers|vectors)\/[\w./-]+/g,
      ),
    ].map(([path]) => path!.replace(/[./]+$/, '')),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
});

test('every folder in src is in the layer diagram', () => {
  const folders = readdirSync(new URL('src', root), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const architecture = read('docs/architecture.md');
  expect(folders.map(({ name }) => name).filter((name) => !architecture.includes(`src/${name} `))).toEqual(
    [],
  );
});

test('every link between documents points to an existing file', () => {
  const broken = texts.flatMap((text) =>
    [...read(text).matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)]
      .filter(([, path]) => !existsSync(new URL(path!, new URL(text, root))))
      .map(([link]) => `${text}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test('the service shows every guide', () => {
  const files = documents.filter((path) => path.startsWith('docs/'));
  expect(guideNames.map((name) => `docs/${name}.md`).toSorted()).toEqual(files);
});

test('CONTRIBUTING and README link to docs/architecture.md', () => {
  expect(read('CONTRIBUTING.md')).toContain('docs/architecture.md');
  expect(read('README.md')).toContain('docs/architecture.md');
});
