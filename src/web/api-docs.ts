import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Middleware } from 'koa';

const distribution = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const assets: Record<string, string> = {
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
  'favicon-32x32.png': 'image/png',
};

const page = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Countersign API</title>
  <link rel="icon" href="/api/docs/favicon-32x32.png">
  <link rel="stylesheet" href="/api/docs/swagger-ui.css">
</head>
<body>
  <main id="api"></main>
  <script src="/api/docs/swagger-ui-bundle.js"></script>
  <script src="/api/docs/start.js"></script>
</body>
</html>
`;

const start = `SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  validatorUrl: null,
  tryItOutEnabled: true,
  persistAuthorization: false,
});
`;

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; frame-ancestors 'none'";

/** /api/openapi.json and the readable page of it, with every asset served from here. */
export function apiDocs(description: object): Middleware {
  const json = JSON.stringify(description);
  return async (koa, next) => {
    if (koa.method !== 'GET' && koa.method !== 'HEAD') return next();
    if (koa.path === '/api/openapi.json') {
      koa.state['route'] = koa.path;
      koa.type = 'application/json';
      koa.body = json;
      return undefined;
    }
    if (koa.path !== '/api/docs' && !koa.path.startsWith('/api/docs/')) return next();
    koa.state['route'] = '/api/docs';
    koa.set('Content-Security-Policy', POLICY);
    const name = koa.path.slice('/api/docs/'.length);
    if (name === '') {
      koa.type = 'html';
      koa.body = page;
    } else if (name === 'start.js') {
      koa.type = 'text/javascript';
      koa.body = start;
    } else if (Object.hasOwn(assets, name)) {
      koa.type = assets[name]!;
      koa.set('Cache-Control', 'public, max-age=86400');
      koa.body = await readFile(join(distribution, name));
    } else return next();
    return undefined;
  };
}
