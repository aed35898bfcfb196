import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/check-folders.mjs', import.meta.url));

/** Runs the check on a folder with these files. */
function check(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'folders-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { status, stderr } = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' });
  return { status, said: stderr.replaceAll(folder, 'src') };
}

test('folders that import in one direction pass', () => {
  const { status, said } = check({
    'a/one.ts': "import { two } from './two.ts';\nimport { three } from '../b/three.ts';",
    'a/two.ts': "import { three } from '../b/three.ts';",
    'b/three.ts': "import { text } from '../text.ts';",
    'text.ts': '',
  });
  expect({ status, said }).toEqual({ status: 0, said: '' });
});

test('an import cycle between folders fails and is printed with its imports', () => {
  const { status, said } = check({
    'a/one.ts': "import type { Two } from '../b/two.ts';",
    'b/two.ts': "const lazy = () => import('../c.ts');",
    'c.ts': "import './a/other.ts';",
    'a/other.ts': '',
  });
  expect(status).toBe(1);
  expect(said).toContain('src: a -> b -> c.ts -> a\n');
  expect(said).toContain('src/a/one.ts imports src/b/two.ts');
  expect(said).toContain('src/c.ts imports src/a/other.ts');
});
