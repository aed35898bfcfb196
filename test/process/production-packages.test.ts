import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { type ServerProcess, startServer } from '../helpers/process.ts';

const lockfile = new URL('../../package-lock.json', import.meta.url);
const refuseOthers = new URL('production-packages.mjs', import.meta.url).href;

let app: TestApp;
let server: ServerProcess;

beforeAll(async () => {
  app = await startTestApp();
  const { url: DATABASE_URL, checkpointFile: CHECKPOINT_FILE } = app.database;
  server = await startServer({
    env: { DATABASE_URL, CHECKPOINT_FILE, NODE_OPTIONS: `--import=${refuseOthers}` },
  });
});
afterAll(async () => {
  await server.end();
  await app.close();
});

test('a production install has no React, no Vite and no Prisma CLI', () => {
  const { packages } = JSON.parse(readFileSync(lockfile, 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  const installed = Object.keys(packages).filter((path) => !packages[path]!.dev);
  expect(installed).toContain('node_modules/koa');
  const forBuilding = /node_modules\/(?:react|react-dom|vite|rolldown|prisma|typescript|@mantine\/[^/]+)$/;
  expect(installed.filter((path) => forBuilding.test(path))).toEqual([]);
});

test('the service serves the console without the packages that built it', async () => {
  const page = await fetch(`${server.url}/sign-in`, { headers: { accept: 'text/html' } });
  const script = /<script type="module"[^>]* src="([^"]+)"/.exec(await page.text())?.[1];
  expect(script).toMatch(/^\/console\/assets\/.+\.js$/);
  const response = await fetch(`${server.url}${script}`);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/javascript; charset=utf-8',
  ]);
});
