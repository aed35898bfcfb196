import { expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '../helpers/database.ts';
import { eventually } from '../helpers/eventually.ts';
import { freePort } from '../helpers/free-port.ts';
import { startServer } from '../helpers/process.ts';

test('a worker answers health checks and metrics at HEALTH_PORT, and nothing else', async () => {
  const database = await testDatabase();
  const port = await freePort();
  const worker = await startServer({
    env: { ROLE: 'worker', DATABASE_URL: database.url, HEALTH_PORT: String(port) },
  });
  onTestFinished(async () => void (await worker.end('SIGKILL')));
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  await eventually(async () => (await ask('/readyz').catch(() => null))?.status === 200);
  const readiness = async () => (await ask('/readyz')).json();
  await expect.poll(readiness).toMatchObject({ checks: { database: 'ok', worker: 'ok' } });
  expect((await ask('/healthz')).status).toBe(200);
  expect(await (await ask('/metrics')).text()).toContain('countersign_worker_alive 1');
  expect((await ask('/graphql')).status).toBe(404);
});
