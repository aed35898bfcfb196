import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const folder = new URL('../../packages/proof-kit/src/', import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith('.ts'));

describe('the proof kit runs in a browser as it is', () => {
  it.each(files)('%s imports only its neighbours and touches nothing of Node', (file) => {
    const source = readFileSync(new URL(file, folder), 'utf8');
    const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    for (const [, from] of code.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)) {
      expect(files.map((name) => `./${name}`)).toContain(from);
    }
    expect(code).not.toMatch(
      /\b(?:Buffer|process|require|global|__dirname|fetch|document\.cookie)\b\s*[.([]/,
    );
  });
});
