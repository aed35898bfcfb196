import { expect, test } from 'vitest';
import { type TestApp, testApp } from '../helpers/app.ts';
import { testDatabase } from '../helpers/database.ts';
import { eventually } from '../helpers/eventually.ts';
import { type Relay, relayTo } from '../helpers/relay.ts';
import { makeStage } from '../helpers/world.ts';
import { consumer } from '../webhooks/consumer.ts';
import { emitEvent, subscribe } from '../webhooks/stage.ts';
import { execute, makeWorkflow, outsideSystem, reaches, text } from '../workflows/steps.ts';

interface House extends TestApp {
  /** Relays to the database: the queue's, and all others'. */
  wires: Record<'queue' | 'other', Relay>;
}

/** The database assigns a job, and the reply is lost: no worker runs it. */
async function lostClaim(house: House): Promise<void> {
  const { key, center } = await makeStage(house.app);
  const { url, received } = await consumer();
  const { id } = await subscribe(house, key, url);
  const lost = house.wires.queue.loseAnswer(id);
  await emitEvent(house.app, center.id);
  await lost;
  expect(received).toEqual([]);
  await eventually(() => received.length === 1);
}

/** What a step must read after it has begun does not arrive: that is not a failure of the step. */
async function lostReadOfStep(house: House): Promise<void> {
  const { token, center } = await makeStage(house.app);
  const outside = await outsideSystem((_, count) => {
    if (count === 1) void house.wires.other.loseAnswer(center.centerDomain);
    return {};
  });
  const call = { kind: 'http', url: outside.url };
  const headers = { 'x-center': '{{ center.domain }}' };
  const steps = [
    { name: 'first', ...call },
    { name: 'second', ...call, headers },
  ];
  const id = await execute(house, token, await makeWorkflow(house, token, steps));
  await eventually(() => outside.received.length === 2);
  await reaches(house, token, id, 'COMPLETED');
  expect(outside.received.map((request) => request.headers['x-center'])).toEqual([
    undefined,
    center.centerDomain,
  ]);
}

/** What the database answers when a step of this name begins, and how many failures that may count as. */
const REFUSALS = { cannot_connect_now: 0, read_only_sql_transaction: 0, raise_exception: 1 };

/** Longer than a job waits in its worker. */
async function refusedForLong(house: House): Promise<void> {
  const { token } = await makeStage(house.app);
  const { superuser } = house;
  await superuser.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = NEW.name; END $$;
    CREATE TRIGGER refusing BEFORE INSERT ON workflow_step_run FOR EACH ROW
      WHEN (NEW.name IN ('${Object.keys(REFUSALS).join("', '")}')) EXECUTE FUNCTION refuse()`);
  const ids = new Map<string, string>();
  for (const name of Object.keys(REFUSALS)) {
    ids.set(name, await execute(house, token, await makeWorkflow(house, token, [text(name)])));
  }
  const failures: Record<string, number> = {};
  await eventually(async () => {
    const { rows } = await superuser.query<{ id: string; attempts: number }>(
      `SELECT payload ->> 'executionId' AS id, least(attempts, 1) AS attempts FROM graphile_worker._private_jobs
       WHERE locked_at IS NULL AND last_error LIKE '%refused%'`,
    );
    for (const [name, id] of ids) {
      const job = rows.find((row) => row.id === id);
      if (job) failures[name] = job.attempts;
    }
    return Object.keys(failures).length === ids.size;
  });
  expect(failures).toEqual(REFUSALS);
  await superuser.query('DROP TRIGGER refusing ON workflow_step_run');
  for (const [name, id] of ids) {
    if (REFUSALS[name as keyof typeof REFUSALS] === 0) await reaches(house, token, id, 'COMPLETED');
  }
}

test('a job interrupted by the database is retried soon, and not counted as failed', async () => {
  const database = await testDatabase();
  const wires = { queue: await relayTo(database.url), other: await relayTo(database.url) };
  const env = { DATABASE_DIRECT_URL: wires.queue.url, WORKER_TAKEOVER_SECONDS: '1' };
  const running = await testApp({ database: { ...database, url: wires.other.url }, env, worker: true });
  const house = { ...running, wires };
  await Promise.all([lostClaim, lostReadOfStep, refusedForLong].map((broken) => broken(house)));
});
