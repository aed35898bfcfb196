import { expect, test, vi } from 'vitest';
import { systemContext } from '../../src/domain/context.ts';
import { eventCatalog } from '../../src/domain/events/catalog.ts';
import { transact } from '../../src/domain/unit-of-work.ts';
import { requeueLostDeliveries } from '../../src/domain/webhooks/requeue-lost.ts';
import { testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { makeStage } from '../helpers/world.ts';
import { answer, consumer } from './consumer.ts';
import { deliveryBecomes, emitEvent, subscribe } from './stage.ts';

vi.setConfig({ testTimeout: 120_000 });

const HANGING = 20;

test('twenty endpoints that never answer delay neither others nor the worker', async () => {
  const running = await testApp({ worker: true });
  const crowd = await makeStage(running.app);
  const dead = await consumer(() => {});
  for (let i = 0; i < HANGING; i++) await subscribe(running, crowd.key, `${dead.url}/${i}`);
  const quiet = await makeStage(running.app);
  const alive = await consumer();
  await subscribe(running, quiet.key, alive.url);

  const { example } = eventCatalog['payment.completed'];
  await transact(systemContext(running.app, 'test', crowd.center.id), async (work) => {
    for (let i = 0; i < 45; i++) work.emit('payment.completed', example);
  });
  await eventually(() => dead.received.length >= HANGING);
  // 900 deliveries wait for endpoints that take 5 seconds to fail; these must not.
  for (let i = 1; i <= 10; i++) {
    await emitEvent(running.app, quiet.center.id);
    await eventually(() => alive.received.length === i);
  }
  // A few attempts at each until they fail: most of the deliveries have not been attempted.
  expect(dead.received.length).toBeLessThan(HANGING * 15);
});

const HANGING_A_CENTER = 100;

test('three hundred endpoints of three centers that never answer delay no other center', async () => {
  const running = await testApp({ worker: true });
  const dead = await consumer(() => {});
  const { example } = eventCatalog['payment.completed'];
  for (let center = 0; center < 3; center++) {
    const { key, center: crowd } = await makeStage(running.app);
    for (let i = 0; i < HANGING_A_CENTER; i++)
      await subscribe(running, key, `${dead.url}/${center}/${i}`, ['payment.completed']);
    await transact(systemContext(running.app, 'test', crowd.id), async (work) => {
      for (let i = 0; i < 5; i++) work.emit('payment.completed', example);
    });
  }
  await eventually(() => dead.received.length > 64);
  const neighbor = await makeStage(running.app);
  const alive = await consumer();
  await subscribe(running, neighbor.key, alive.url);
  for (let i = 1; i <= 5; i++) {
    await emitEvent(running.app, neighbor.center.id);
    await eventually(() => alive.received.length === i);
  }
  // 1,500 deliveries that take five seconds each: most have not been attempted.
  expect(dead.received.length).toBeLessThan(750);
});

test('a delivery whose job is lost is queued again, and one with a job is not queued twice', async () => {
  const running = await testApp();
  const { app, superuser } = running;
  const { key, center } = await makeStage(app);
  const { url } = await consumer();
  const { id } = await subscribe(running, key, url);
  const events = [await emitEvent(app, center.id), await emitEvent(app, center.id)];
  const jobs = async () => {
    const { rows } = await superuser.query(
      `SELECT payload ->> 'eventId' AS event FROM graphile_worker._private_jobs
       WHERE payload ->> 'webhookId' = $1 ORDER BY 1`,
      [id],
    );
    return rows.map(({ event }) => event);
  };
  expect(await jobs()).toEqual(events);
  await superuser.query(`DELETE FROM graphile_worker._private_jobs WHERE payload ->> 'eventId' = $1`, [
    events[0],
  ]);
  // One that is due right now may be in progress.
  await requeueLostDeliveries(app);
  expect(await jobs()).toEqual([events[1]]);
  await superuser.query(`UPDATE delivery SET next_attempt_at = now() - interval '11 minutes'`);
  await requeueLostDeliveries(app);
  await requeueLostDeliveries(app);
  expect(await jobs()).toEqual(events);
  await testApp({ database: running.database, worker: true });
  for (const event of events)
    await deliveryBecomes(running, key, id, (each) => each.eventId !== event || each.status === 'success');
});

test('first attempts have priority over retries', async () => {
  const running = await testApp();
  const { key, center } = await makeStage(running.app);
  const { url } = await consumer(answer(500));
  const { id } = await subscribe(running, key, url);
  await emitEvent(running.app, center.id);
  const lastPriority = async (): Promise<number> => {
    const { rows } = await running.app.db
      .declared('acrossTenants')
      .query(
        `SELECT priority FROM graphile_worker.jobs WHERE task_identifier = 'deliver_webhook' ORDER BY id DESC LIMIT 1`,
      );
    return rows[0]!['priority'];
  };
  const ofFirst = await lastPriority();
  await testApp({ database: running.database, worker: true });
  await deliveryBecomes(running, key, id, (each) => each.attempts === 1);
  expect(await lastPriority()).toBeGreaterThan(ofFirst);
});
