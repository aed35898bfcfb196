import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context, Middleware, Next } from 'koa';
import type { App } from '../app.ts';
import { makeBrandFinder } from './brand.ts';
import { entry } from './entry.ts';

/** The output of scripts/prepare.mjs: each build in its own folder, and the name of the current one. */
const BUILDS = fileURLToPath(new URL('../../generated/console/', import.meta.url));
const CURRENT_BUILD = fileURLToPath(new URL('../../generated/.console-built-from', import.meta.url));
/** The URL prefix of its files, and that of files with a hash in their name. */
const FILES = '/console/';
const HASHED = '/console/assets/';

/** The first path segment of every console page besides `/`. */
const SCREENS = new Set([
  'sign-in',
  'forgot-password',
  'reset',
  'role-change',
  'connect',
  'invitation',
  'welcome',
  'waiting',
  'centers',
  'c',
  'me',
  'partner',
  'platform',
]);

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json',
};

/** Scripts come only from here and are never inline; the nonce allows Mantine's style elements. */
const policy = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Hot reloading needs an inline script and a socket. */
const DEVELOPMENT_POLICY =
  "default-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self' ws:; frame-ancestors 'none'";

interface BuiltFile {
  type: string;
  plain: Buffer;
  brotli: Buffer | null;
  gzip: Buffer | null;
}

/** The console: one page for all its URLs, and the files that the page loads. */
export function consolePages(app: App): Middleware {
  const files = readBuilt();
  const findBrand = makeBrandFinder(app);
  const ownHost = new URL(app.config.publicUrl).hostname;
  const development = app.config.consoleDevelopment ? developmentServer() : null;

  function sendFile(koa: Context, file: BuiltFile): void {
    koa.state['route'] = '/console';
    koa.vary('Accept-Encoding');
    koa.set('Content-Type', file.type);
    koa.set(
      'Cache-Control',
      koa.path.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache',
    );
    const encoding = koa.acceptsEncodings('br', 'gzip', 'identity');
    const packed = encoding === 'br' ? file.brotli : encoding === 'gzip' ? file.gzip : null;
    if (packed) koa.set('Content-Encoding', encoding as string);
    koa.body = packed ?? file.plain;
  }

  /** The center of the visitor's custom domain; empty for the service's own address. */
  async function centerAt(koa: Context): Promise<string> {
    const { hostname } = koa;
    if (hostname === ownHost || !/^[a-z0-9.-]{4,253}$/.test(hostname) || isIP(hostname) > 0) return '';
    return (await findBrand(hostname))?.centerDomain ?? '';
  }

  async function sendPage(koa: Context): Promise<void> {
    koa.state['route'] = '/console';
    koa.set('Cache-Control', 'no-store');
    koa.type = 'html';
    if (development) {
      koa.set('Content-Security-Policy', DEVELOPMENT_POLICY);
      koa.body = await (await development).page(koa.url);
      return;
    }
    const nonce = randomBytes(16).toString('base64');
    koa.set('Content-Security-Policy', policy(nonce));
    const page = files.get('index.html');
    koa.body = page
      ? page.plain
          .toString()
          .replace('%NONCE%', nonce)
          .replace('%BRAND%', await centerAt(koa))
      : NOT_BUILT;
  }

  return async (koa, next) => {
    if (koa.method !== 'GET' && koa.method !== 'HEAD') return next();
    if (koa.path.startsWith(FILES)) {
      if (development) return sendSource(koa, next, await development);
      const name = koa.path.slice(FILES.length);
      const file = name === 'index.html' ? undefined : files.get(name);
      return file ? sendFile(koa, file) : next();
    }
    if (koa.path !== '/' && !SCREENS.has(koa.path.split('/', 2)[1]!)) return next();
    koa.vary('Accept');
    if (wantsPage(koa)) return sendPage(koa);
    if (koa.path !== '/') return next();
    koa.state['route'] = '/';
    koa.body = entry(app);
    return undefined;
  };
}

/** Production has neither Vite nor the other packages of the console. */
const developmentServer = async () =>
  (await import('@countersign/console/development-server')).makeDevelopmentServer();

async function sendSource(
  koa: Context,
  next: Next,
  server: Awaited<ReturnType<typeof developmentServer>>,
): Promise<void> {
  koa.state['route'] = '/console';
  koa.remove('Content-Security-Policy');
  await server.file(koa.req, koa.res);
  if (koa.res.writableEnded) koa.respond = false;
  else await next();
}

/** Links in mails lead there. Link scanners accept any content type and must not find them dead. */
const MAILED = new Set(['/invitation', '/reset', '/role-change', '/connect']);

/** Browsers request HTML; clients that accept anything are programs. */
const wantsPage = (koa: Context) =>
  MAILED.has(koa.path) ? koa.accepts('html') !== false : /text\/html/i.test(koa.get('Accept'));

const NOT_BUILT =
  '<!doctype html><title>Countersign</title><p>The console has not been built: run <code>npm start</code>.</p>';

/** Cached for the next App of this process: a build never changes. */
let lastBuild: { folder: string; files: Map<string, BuiltFile> } | undefined;

function readBuilt(): Map<string, BuiltFile> {
  if (!existsSync(CURRENT_BUILD)) return new Map();
  const folder = join(BUILDS, readFileSync(CURRENT_BUILD, 'utf8'));
  if (lastBuild?.folder !== folder) lastBuild = { folder, files: readFiles(folder) };
  return lastBuild.files;
}

function readFiles(folder: string): Map<string, BuiltFile> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  const all = new Set(names);
  const read = (name: string) => (all.has(name) ? readFileSync(join(folder, name)) : null);
  return new Map(
    names.flatMap((name) => {
      const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
      if (!type) return [];
      return [[name, { type, plain: read(name)!, brotli: read(`${name}.br`), gzip: read(`${name}.gz`) }]];
    }),
  );
}
