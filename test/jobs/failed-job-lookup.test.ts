import { expect, test } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { testDatabase } from '../helpers/database.ts';
import { eventually } from '../helpers/eventually.ts';
import { runAs } from '../helpers/server.ts';
import { makeStage } from '../helpers/world.ts';
import { consumer } from '../webhooks/consumer.ts';
import { emitEvent, subscribe } from '../webhooks/stage.ts';

test('a worker whose first task lookup failed reports not ready and is replaced by a working one', async () => {
  const database = await testDatabase();
  // What the queue looks up once; it caches a failure forever.
  await runAs(database.adminUrl, 'ALTER TABLE graphile_worker._private_tasks RENAME TO gone');
  const running = await testApp({ database, worker: true });
  const ready = async () => {
    const response = await running.fetch('/readyz');
    return [response.status, ((await response.json()) as { checks: { worker: string } }).checks.worker];
  };
  await expect.poll(ready).toEqual([503, 'finds no jobs']);

  await runAs(database.adminUrl, 'ALTER TABLE graphile_worker.gone RENAME TO _private_tasks');
  const { key, center } = await makeStage(running.app);
  const { url, received } = await consumer();
  await subscribe(running, key, url);
  await emitEvent(running.app, center.id);
  await eventually(() => received.length === 1);
  await eventually(async () => (await ready())[0] === 200);
  expect(running.logged.filter((line) => line.includes('looking for jobs keeps failing'))).not.toEqual([]);
});
