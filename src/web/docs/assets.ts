import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

/** What the pages of the documentation load, all of it from here. */
const css = readFileSync(new URL('style.css', import.meta.url), 'utf8');
const source = readFileSync(new URL('browser/main.ts', import.meta.url), 'utf8');
const searchModule = new URL(import.meta.resolve('minisearch'));

/** Part of every address, so that browsers may keep what they got until the next release. */
const version = hash('sha256', css + source, 'hex').slice(0, 12);
const base = `/docs/assets/${version}`;

export const stylesheet = `${base}/style.css`;
export const script = `${base}/main.js`;
export const icon = '/verify/assets/icon.svg';

export interface Asset {
  type: string;
  body: string;
}

export function assetAt(path: string): Asset | null {
  if (path === stylesheet) return { type: 'text/css', body: css };
  if (path === script) return { type: 'text/javascript', body: stripTypeScriptTypes(source) };
  if (path === `${base}/minisearch.js`) {
    return { type: 'text/javascript', body: readFileSync(searchModule, 'utf8') };
  }
  return null;
}
