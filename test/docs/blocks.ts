import { readdirSync, readFileSync } from 'node:fs';

/** A fenced block of a document. */
export interface Block {
  document: string;
  /** The line of its fence. */
  line: number;
  language: string;
  /** The text after the language: why a block is not run. */
  note: string;
  code: string;
}

/** What is run, and how: one shell per document, so that later blocks see the variables of earlier ones. */
export const RUN = new Set(['sh', 'ts', 'python', 'graphql', 'json']);

const root = new URL('../../', import.meta.url);

/** The READMEs and every guide. */
export const documents = [
  'README.md',
  'packages/client/README.md',
  ...readdirSync(new URL('docs/', root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .toSorted(),
];

export function blocksOf(document: string): Block[] {
  const lines = readFileSync(new URL(document, root), 'utf8').split('\n');
  const blocks: Block[] = [];
  let open: Block | null = null;
  for (const [index, line] of lines.entries()) {
    const fence = /^\s*```\s*(\S*)\s*(.*)$/.exec(line);
    if (!fence) {
      if (open) open.code += `${line}\n`;
    } else if (open) {
      blocks.push(open);
      open = null;
    } else {
      open = { document, line: index + 1, language: fence[1]!, note: fence[2]!, code: '' };
    }
  }
  if (open) throw new Error(`${document}:${open.line}: the block has no end`);
  return blocks;
}
