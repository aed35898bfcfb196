import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/check-folders.mjs', import.meta.url));

/** Runs the check in a repository with these files. */
function check(files: Record<string, string>) {
  const repository = mkdtempSync(join(tmpdir(), 'folders-'));
  onTestFinished(() => rmSync(repository, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), text);
  }
  const { status, stderr } = spawnSync(process.execPath, [script], { cwd: repository, encoding: 'utf8' });
  return { status, stderr };
}

test('folders that import in one direction pass', () => {
  const result = check({
    'src/a/one.ts': "import { two } from './two.ts';\nimport { three } from '../b/three.ts';",
    'src/a/two.ts': "import { three } from '../b/three.ts';",
    'src/b/three.ts': "import { text } from '../text.ts';",
    'src/text.ts': "import { parse } from '@countersign/kit/parse';",
    'packages/kit/parse.ts': '',
  });
  expect(result).toEqual({ status: 0, stderr: '' });
});

test('a circle between folders fails and is printed with its imports', () => {
  const { status, stderr } = check({
    'src/a/one.ts': "import type { Two } from '../b/two.ts';",
    'src/b/two.ts': "const lazy = () => import('../c.ts');",
    'src/c.ts': "import './a/other.ts';",
    'src/a/other.ts': '',
  });
  expect(status).toBe(1);
  expect(stderr).toContain('src: a -> b -> c.ts -> a\n');
  expect(stderr).toContain('src/a/one.ts imports src/b/two.ts');
  expect(stderr).toContain('src/c.ts imports src/a/other.ts');
});

test('a circle is found at any depth, in apps too', () => {
  const { status, stderr } = check({
    'apps/console/src/screens/list/row.tsx': "import { Cell } from '../detail/cell.tsx';",
    'apps/console/src/screens/detail/page.tsx': "import { Row } from '../list/row.tsx';",
  });
  expect(status).toBe(1);
  expect(stderr).toContain('apps/console/src/screens: detail -> list -> detail\n');
});

test('a circle between packages that import each other by name is found', () => {
  const { status, stderr } = check({
    'packages/client/src/send.ts': "import { sign } from '@countersign/kit/sign';",
    'packages/kit/src/sign.ts': "import type { Sent } from '@countersign/client';",
  });
  expect(status).toBe(1);
  expect(stderr).toContain('packages: client -> kit -> client\n');
});

test('generated and installed files are ignored', () => {
  const { status } = check({
    'src/a/one.ts': "import { two } from '../b/two.ts';",
    'src/b/generated/two.ts': "import { one } from '../../a/one.ts';",
    'packages/kit/node_modules/x/a/one.ts': "import { two } from '../b/two.ts';",
    'packages/kit/node_modules/x/b/two.ts': "import { one } from '../a/one.ts';",
  });
  expect(status).toBe(0);
});
