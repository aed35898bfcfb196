import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { startServer } from '../helpers/process.ts';
import { makeStage } from '../helpers/world.ts';
import { consumer } from '../webhooks/consumer.ts';
import { emitEvent, subscribe } from '../webhooks/stage.ts';

const preload = new URL('./fixtures/list-modules.mjs', import.meta.url).href;

/** What only tracing needs, for which nobody has asked. The bare interface comes with Prisma. */
const ONLY_TRACES = /\/node_modules\/@opentelemetry\/(?!api\/)/;
/** What only the API needs: servers, schemas, and the rooms above the domain. */
const ONLY_API =
  /\/node_modules\/(graphql|graphql-[a-z]+|@graphql-[a-z]+|@pothos|koa|@koa)\/|\/src\/(api|schema|rest|web|mcp)\//;

test('a worker that has done its work has loaded no GraphQL server and nothing of the API', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-modules-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'modules');
  const running = await testApp();
  const { key, center } = await makeStage(running.app);
  const { url, received } = await consumer();
  await subscribe(running, key, url);
  const worker = await startServer({
    env: {
      ROLE: 'worker',
      DATABASE_URL: running.database.url,
      NODE_OPTIONS: `--import ${preload}`,
      MODULES_FILE: file,
    },
  });
  onTestFinished(async () => void (await worker.end('SIGKILL')));
  await emitEvent(running.app, center.id);
  await eventually(() => received.length > 0);

  worker.child.kill('SIGUSR2');
  await eventually(() => existsSync(file) && readFileSync(file, 'utf8') !== '');
  const modules = readFileSync(file, 'utf8').split('\n');
  expect(modules.some((module) => module.endsWith('/src/jobs/worker.ts'))).toBe(true);
  expect(modules.filter((module) => ONLY_API.test(module) || ONLY_TRACES.test(module))).toEqual([]);
  expect(await worker.end('SIGTERM')).toBe(0);
});
