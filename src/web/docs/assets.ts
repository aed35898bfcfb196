import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

/** The static files of the documentation pages. */
const css = readFileSync(new URL('style.css', import.meta.url), 'utf8');
const source = readFileSync(new URL('browser/main.ts', import.meta.url), 'utf8');
const searchModule = new URL(import.meta.resolve('minisearch'));

/** Part of every URL, so that browsers may cache the files until the next release. */
const version = hash('sha256', css + source, 'hex').slice(0, 12);
const base = `/docs/assets/${version}`;

export const stylesheet = `${base}/style.css`;
export const script = `${base}/main.js`;
export const icon = '/verify/assets/icon.svg';

interface Asset {
  type: string;
  body: string | Buffer;
  /** Whether its URL changes with its content. */
  versioned: boolean;
}

/** Images in guides. */
const pictures = new URL('../../../docs/images/', import.meta.url);
const pictureNames = new Set(readdirSync(pictures));

export function assetAt(path: string): Asset | null {
  const versioned = true;
  if (path === stylesheet) return { type: 'text/css', body: css, versioned };
  if (path === script) return { type: 'text/javascript', body: stripTypeScriptTypes(source), versioned };
  if (path === `${base}/minisearch.js`) {
    return { type: 'text/javascript', body: readFileSync(searchModule, 'utf8'), versioned };
  }
  const picture = path.startsWith('/docs/images/') ? path.slice('/docs/images/'.length) : '';
  if (!pictureNames.has(picture)) return null;
  const type = picture.endsWith('.svg') ? 'image/svg+xml' : 'image/png';
  return { type, body: readFileSync(new URL(picture, pictures)), versioned: false };
}
