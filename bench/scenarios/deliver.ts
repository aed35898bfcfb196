import { setTimeout as sleep } from 'node:timers/promises';
import { systemContext } from '../../src/domain/context.ts';
import { eventCatalog } from '../../src/domain/events/catalog.ts';
import { transact } from '../../src/domain/unit-of-work.ts';
import { createWebhook } from '../../src/domain/webhooks/manage.ts';
import { makeCenter } from '../../test/helpers/world.ts';
import { type Consumer, startConsumer } from '../harness/consumer.ts';
import { emit } from '../harness/emit.ts';
import type { Side } from '../harness/measure.ts';
import type { Program } from '../harness/programs.ts';
import type { Scenario } from '../harness/scenario.ts';
import type { Stage } from '../harness/stage.ts';

const DELIVERIES = 10_000;
const { example } = eventCatalog['payment.completed'];

/** Fills the queue, starts the worker, and measures from the first arrival to the last. */
function drain(consumer: Consumer, fill: () => Promise<unknown>, start: () => Promise<Program>): Side {
  return {
    async run() {
      await fill();
      consumer.forget();
      const worker = await start();
      const arrivals = await consumer.arrived(DELIVERIES);
      await worker.end();
      const seconds = (arrivals.at(-1)!.at - arrivals[0]!.at) / 1_000;
      return { rate: DELIVERIES / seconds };
    },
  };
}

export const deliver: Scenario = {
  name: 'deliver',
  title: 'webhook deliveries of one worker process',
  limit: 'a bare queue task that posts with undici',
  unit: 'deliveries/s',
  target: 0.5,
  async prepare(stage) {
    const consumer = await startConsumer();
    await createWebhook(systemContext(stage.app, 'bench', stage.centerId), {
      url: consumer.url,
      events: ['*'],
    });
    const bare = () =>
      stage.admin.query(
        `SELECT count(*) FROM (
           SELECT graphile_worker.add_job('bare_post', $1::json) FROM generate_series(1, $2)) added`,
        [JSON.stringify({ type: 'payment.completed', data: example, deliveryAttempt: 1 }), DELIVERIES],
      );
    return {
      ours: drain(
        consumer,
        () => emit(stage, DELIVERIES),
        () => stage.worker(),
      ),
      limit: drain(consumer, bare, () => stage.limit('bare-worker', { BENCH_TARGET: consumer.url })),
      ceiling: {
        what: 'a bare undici loop that posts, without any queue',
        side: drain(
          consumer,
          async () => {},
          () => stage.limit('bare-undici', { BENCH_TARGET: consumer.url, BENCH_COUNT: String(DELIVERIES) }),
        ),
      },
    };
  },
};

const EVENTS_A_SECOND = 200;
const P95_LIMIT_MS = 130;
const QUEUED_RETRIES = 10_000;
const HANGING_CENTERS = 3;
/** The maximum per center. */
const HANGING_A_CENTER = 100;
const HANGING = HANGING_CENTERS * HANGING_A_CENTER;
/** Each waits at every hanging endpoint: far more than can fail during the measurement. */
const STUCK_EVENTS = 20;
const P95_BESIDE_HANGING_MS = 500;

/** Emits at a steady rate and returns the 95th percentile from commit to arrival. */
async function p95(stage: Stage, consumer: Consumer, seconds: number): Promise<number> {
  consumer.forget();
  const count = EVENTS_A_SECOND * seconds;
  const committed = new Map<string, number>();
  const { app, centerId } = stage;
  const begun = performance.now();
  const emissions: Promise<void>[] = [];
  for (let i = 0; i < count; i++) {
    const due = begun + (i * 1_000) / EVENTS_A_SECOND;
    if (due > performance.now()) await sleep(due - performance.now());
    const reference = `bench-${i}`;
    emissions.push(
      transact(systemContext(app, 'bench', centerId), async (work) =>
        work.emit('payment.completed', { ...example, reference }),
      ).then(() => void committed.set(reference, Date.now())),
    );
  }
  await Promise.all(emissions);
  const waits = (await consumer.arrived(count))
    .map(({ at, body }) => at - committed.get(JSON.parse(body).data.reference)!)
    .sort((a, b) => a - b);
  return Math.max(1, waits[Math.floor(waits.length * 0.95)]!);
}

export const deliverPromptly: Scenario = {
  name: 'deliver-promptly',
  title: `commit to arrival at ${EVENTS_A_SECOND} events/s, ${QUEUED_RETRIES.toLocaleString('en')} retries`,
  limit: `${P95_LIMIT_MS} ms at the 95th percentile`,
  unit: 'a second (1000 / p95 in ms)',
  target: 1,
  async prepare(stage) {
    const consumer = await startConsumer();
    const ctx = systemContext(stage.app, 'bench', stage.centerId);
    await createWebhook(ctx, { url: consumer.url, events: ['*'] });
    await emit(stage, QUEUED_RETRIES);
    // As if they had all failed once and were due later.
    await stage.admin.query(
      `UPDATE delivery SET attempts = 1, round = 1, next_attempt_at = now() + interval '1 hour'`,
    );
    await stage.admin.query(
      `SELECT count(*) FROM graphile_worker.reschedule_jobs(
         array(SELECT id FROM graphile_worker.jobs WHERE task_identifier = 'deliver_webhook'),
         now() + interval '1 hour', 10)`,
    );
    await stage.worker();
    return {
      ours: { run: async (seconds) => ({ rate: 1_000 / (await p95(stage, consumer, seconds)) }) },
      limit: { run: async () => ({ rate: 1_000 / P95_LIMIT_MS }) },
    };
  },
};

export const deliverBesideHanging: Scenario = {
  name: 'deliver-beside-hanging',
  title: `commit to arrival at ${EVENTS_A_SECOND} events/s, beside ${HANGING} endpoints that never answer`,
  limit: `${P95_BESIDE_HANGING_MS} ms at the 95th percentile`,
  unit: 'a second (1000 / p95 in ms)',
  target: 1,
  async prepare(stage) {
    const [consumer, hanging] = await Promise.all([startConsumer(), startConsumer({ answers: false })]);
    const failed = eventCatalog['payment.failed'].example;
    for (let center = 0; center < HANGING_CENTERS; center++) {
      const ctx = systemContext(stage.app, 'bench', (await makeCenter(stage.app)).id);
      for (let i = 0; i < HANGING_A_CENTER; i++)
        await createWebhook(ctx, { url: `${hanging.url}/${center}/${i}`, events: ['payment.failed'] });
      await transact(ctx, async (work) => {
        for (let i = 0; i < STUCK_EVENTS; i++) work.emit('payment.failed', failed);
      });
    }
    await createWebhook(systemContext(stage.app, 'bench', stage.centerId), {
      url: consumer.url,
      events: ['payment.completed'],
    });
    await stage.worker();
    // As many as the limits admit at a time; the others are deferred.
    await hanging.arrived(HANGING_CENTERS);
    return {
      ours: { run: async (seconds) => ({ rate: 1_000 / (await p95(stage, consumer, seconds)) }) },
      limit: { run: async () => ({ rate: 1_000 / P95_BESIDE_HANGING_MS }) },
    };
  },
};
