import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

/**
 * The modules of the pages. Browsers get the same proof kit that the service uses: types are stripped, and package imports
 * become relative.
 */
const FOLDERS = {
  'proof-kit': new URL('../../../packages/proof-kit/src/', import.meta.url),
  browser: new URL('browser/', import.meta.url),
};
/** The published modules that make up SHA-256 in `@noble/hashes`. */
const HASHES = ['sha2.js', '_md.js', '_u64.js', 'utils.js'];

interface Asset {
  type: string;
  body: string;
}

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b6b53"/><path d="M8.5 16.8l4.9 4.9 10-11.6" fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

const css = readFileSync(new URL('style.css', import.meta.url), 'utf8');

const modules = Object.entries(FOLDERS).flatMap(([folder, location]) =>
  readdirSync(location)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => {
      const source = readFileSync(new URL(name, location), 'utf8');
      const relative = source
        .replaceAll(/'@countersign\/(proof-kit\/[a-z0-9-]+)'/g, "'../$1.ts'")
        .replaceAll("'@noble/hashes/", "'../hashes/");
      return [`${folder}/${name}`, relative] as const;
    }),
);
const hashes = new URL('.', import.meta.resolve('@noble/hashes/sha2.js'));
for (const name of HASHES) modules.push([`hashes/${name}`, readFileSync(new URL(name, hashes), 'utf8')]);

/** Part of every URL, so that browsers may cache the files until the next release. */
const version = hash('sha256', [css, ...modules.flat()].join('\0'), 'hex').slice(0, 12);
const base = `/verify/assets/${version}`;

export const stylesheet = `${base}/style.css`;
export const entryScript = `${base}/browser/main.ts`;

const sources: ReadonlyMap<string, string> = new Map(
  modules.map(([path, source]) => [`${base}/${path}`, source]),
);
const stripped = new Map<string, string>();

export function assetAt(path: string): Asset | null {
  if (path === stylesheet) return { type: 'text/css', body: css };
  if (path === '/verify/assets/icon.svg') return { type: 'image/svg+xml', body: icon };
  const source = sources.get(path);
  if (source === undefined) return null;
  // Built on first use, because most processes never serve a page.
  const body = stripped.get(path) ?? (path.endsWith('.ts') ? stripTypeScriptTypes(source) : source);
  stripped.set(path, body);
  return { type: 'text/javascript', body };
}
