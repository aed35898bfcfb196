import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { highlighter } from './highlight.ts';
import type { Rendered } from './markdown.ts';
import { atServedAddress } from './served-address.ts';

/** The guides, in the order for a new reader; each is a file in docs/. */
export const guideNames = [
  'quick-start',
  'agents',
  'approval-rules',
  'webhooks',
  'proofs',
  'proof-format',
  'erasure',
  'console',
  'graphql',
  'centers-and-memberships',
  'single-sign-on',
  'scim',
  'workflows',
  'installation',
  'configuration',
  'commands',
  'operations',
  'high-availability',
  'scaling',
  'benchmarks',
  'security',
  'architecture',
];

export interface Guide extends Rendered {
  name: string;
  title: string;
}

const folder = new URL('../../../docs/', import.meta.url);

/** All guides, naming the address of this server. */
export async function renderGuides(publicUrl: string): Promise<Guide[]> {
  const [highlight, { renderMarkdown }] = await Promise.all([highlighter(), import('./markdown.ts')]);
  const rendered: Guide[] = [];
  for (const name of guideNames) {
    const file = new URL(`${name}.md`, folder);
    const source = atServedAddress(readFileSync(file, 'utf8'), publicUrl);
    const title = /^# (.+)$/m.exec(source)?.[1] ?? name;
    rendered.push({ name, title, ...renderMarkdown(source, highlight) });
    // Highlighting takes a while: yield to API requests in between.
    await setImmediate();
  }
  return rendered;
}
