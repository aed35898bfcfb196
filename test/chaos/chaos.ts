import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { loadConfig } from '../../src/config.ts';
import { startThrowawayPostgres } from '../../src/db/embedded/throwaway.ts';
import { loginOf } from '../../src/db/logins.ts';
import { migrate } from '../../src/db/migrate.ts';
import { makeLog } from '../../src/lib/log.ts';
import { openApp } from '../../src/open-app.ts';
import { makeClient } from '../helpers/client.ts';
import { makeClusterTemplate } from '../helpers/failover.ts';
import { makeStage } from '../helpers/world.ts';
import { EACH, type Fleet, startFleet } from './fleet.ts';
import { violations } from './invariants.ts';
import { startLoad, type Tenant } from './load.ts';
import { makeRandom, type Random } from './random.ts';

export interface ChaosOptions {
  /** Whether a synchronous standby replaces the database once. */
  failover?: boolean;
  /** How long a client waits after each decision; none by default. */
  pauseMs?: number;
  seconds: number;
  seed: number;
  say(line: string): void;
}

export interface ChaosReport {
  /** How often each fault was injected. */
  faults: Record<string, number>;
  /** What was acknowledged. */
  decisions: number;
  approvals: number;
  runs: number;
  deliveries: number;
  /** Violated invariants. */
  violations: string[];
}

const TENANTS = 3;
/**
 * How long everything may take to settle after the last fault. An abandoned run waits for its lease to expire, a minute, and
 * for the next scheduler round, another minute. Lost work never settles.
 */
const SETTLE_MS = 150_000;

const settings = {
  NODE_ENV: 'test',
  JWT_SECRET: 'Zk8vQ2xW7rT4yN1mB6pL9sD3fG5hJ0cA',
  SEED_DEMO: '0',
  LOG_LEVEL: 'warn',
  RATE_STANDARD: '0',
  RATE_PROOF: '0',
  RATE_ANONYMOUS: '0',
  RATE_GRAPHQL: '0',
  DATABASE_POOL: '8',
  WORKER_TAKEOVER_SECONDS: '2',
  CHECKPOINT_SECONDS: '5',
  WEBHOOK_RETRY_DELAYS: '0,0.3,0.5,1,1,2,2,3,3,5',
};

/** Injects random faults for a while, lets everything settle, and checks every guarantee. */
export async function runChaos({
  seconds,
  seed,
  say,
  failover,
  pauseMs = 0,
}: ChaosOptions): Promise<ChaosReport> {
  const undo: (() => unknown)[] = [];
  try {
    const postgres = failover ? await startPair(undo) : await startAlone(undo);
    const dataDir = mkdtempSync(join(tmpdir(), 'countersign-chaos-'));
    chmodSync(dataDir, 0o711);
    undo.push(() => rmSync(dataDir, { recursive: true, force: true }));
    const env = {
      ...settings,
      DATABASE_URL: postgres.url,
      DATABASE_OWNER_URL: postgres.ownerUrl,
      DATA_DIR: dataDir,
    };
    const superuser = new pg.Pool({ connectionString: postgres.adminUrl, max: 3 });
    superuser.on('error', () => {});
    undo.push(() => superuser.end());
    const consumer = await startConsumer();
    undo.push(() => consumer.close());

    const fleet = await startFleet({ ...env, LOG_LEVEL: 'info' });
    undo.push(() => fleet.destroy());
    // An interrupted run must not leave processes behind.
    process.once('exit', fleet.destroy);
    undo.push(() => process.off('exit', fleet.destroy));
    const tenants = await makeTenants(env, postgres.url, fleet.api(0)!, consumer.url);
    say(`seed ${seed}: two APIs and two workers, ${seconds} seconds`);
    const random = makeRandom(seed);
    const load = startLoad(fleet, tenants, makeRandom(seed + 1), pauseMs);
    const faults = await breakThings({ fleet, superuser, random, seconds, say, takeOver: postgres.takeOver });
    await fleet.whole();
    await load.stop();
    const { ledger } = load;
    const unsettled = await settle(superuser);
    const api = await liveApi(fleet);
    const found = await violations(superuser, api, tenants, ledger, consumer.received);
    if (unsettled) found.push(unsettled);
    const codes = await fleet.end();
    if (codes.some((code) => code !== 0)) found.push(`exit codes ${codes.join(', ')}`);
    const locked = await superuser.query('SELECT id FROM graphile_worker.jobs WHERE locked_at IS NOT NULL');
    if (locked.rows.length > 0) found.push(`${locked.rows.length} jobs stayed locked`);
    return {
      faults,
      decisions: [...ledger.recorded.values()].filter(({ eventId }) => eventId !== null).length,
      approvals: ledger.sealed.size,
      runs: [...ledger.executed.values()].filter(({ executionId }) => executionId !== null).length,
      deliveries: consumer.received.size,
      violations: found,
    };
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

/** The database of a run. */
interface ChaosDatabase {
  url: string;
  ownerUrl: string;
  adminUrl: string;
  /** Fails over to the standby; null if there is none. */
  takeOver: (() => Promise<void>) | null;
}

async function startAlone(undo: (() => unknown)[]): Promise<ChaosDatabase> {
  const postgres = await startThrowawayPostgres();
  undo.push(() => postgres.stop());
  await migrate(postgres.ownerUrl, { login: loginOf(postgres.url) });
  return { ...postgres, takeOver: null };
}

async function startPair(undo: (() => unknown)[]): Promise<ChaosDatabase> {
  const template = await makeClusterTemplate();
  undo.push(() => template.remove());
  const pair = await template.makePair({ synchronous: true });
  undo.push(() => pair.stop());
  return {
    ...pair.urls,
    async takeOver() {
      await pair.killPrimary();
      await pair.promote();
      pair.address.moveTo(pair.standby.port);
    },
  };
}

async function makeTenants(
  env: Record<string, string>,
  databaseUrl: string,
  api: string,
  consumerUrl: string,
): Promise<Tenant[]> {
  const app = await openApp(loadConfig(env), databaseUrl, makeLog('silent'));
  const client = makeClient(api);
  const tenants: Tenant[] = [];
  try {
    for (let i = 0; i < TENANTS; i++) {
      const { center, key, token } = await makeStage(app);
      const body = { url: `${consumerUrl}/${center.id}`, events: ['*'] };
      await client.call('POST', '/v1/webhooks', { token: key, body });
      const steps = [
        { name: 'words', kind: 'template', text: 'some words' },
        { name: 'pause', kind: 'wait', seconds: 1 },
        { name: 'more', kind: 'template', text: '{{ steps.words.text }}' },
      ];
      const { data, errors } = await client.graphql(
        'mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { id } }',
        { input: { name: 'Chaos', type: 'MANUAL', steps } },
        token,
      );
      if (errors) throw new Error(errors[0]!.message);
      tenants.push({ centerId: center.id, key, token, workflowId: data.createWorkflow.id });
    }
  } finally {
    await app.close();
  }
  return tenants;
}

type Fault = (random: Random) => Promise<unknown>;

/** One fault after another, at random moments. */
async function breakThings({
  fleet,
  superuser,
  random,
  seconds,
  say,
  takeOver,
}: {
  fleet: Fleet;
  superuser: pg.Pool;
  random: Random;
  seconds: number;
  say: ChaosOptions['say'];
  takeOver: ChaosDatabase['takeOver'];
}): Promise<Record<string, number>> {
  const which = () => Math.floor(random.next() * EACH);
  const faults: Record<string, Fault> = {
    'kill an API': () => fleet.kill('api', which()),
    'kill a worker': () => fleet.kill('worker', which()),
    'pause an API': () => fleet.pause('api', which(), random.between(200, 2_500)),
    'pause a worker': () => fleet.pause('worker', which(), random.between(200, 4_000)),
    'cut connections': () =>
      superuser.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND usename <> session_user AND pid % 2 = $1`,
        [which()],
      ),
    'hold a center': () => holdCenter(superuser, random.between(100, 1_500)),
  };
  const done: Record<string, number> = {};
  const until = Date.now() + seconds * 1_000;
  // Once, in the middle: there is only one standby.
  let failOverAt = takeOver ? Date.now() + seconds * 500 : Number.POSITIVE_INFINITY;
  while (Date.now() < until) {
    await sleep(random.between(200, 2_000));
    if (takeOver && Date.now() > failOverAt) {
      failOverAt = Number.POSITIVE_INFINITY;
      say('fail over');
      done['fail over'] = 1;
      await takeOver();
      continue;
    }
    const name = random.of(Object.keys(faults));
    say(name);
    done[name] = (done[name] ?? 0) + 1;
    // The failover may interrupt this statement too.
    await faults[name]!(random).catch(unlessFailedOver(takeOver !== null));
  }
  return done;
}

const unlessFailedOver = (hasStandby: boolean) => (error: unknown) => {
  if (!hasStandby) throw error;
};

async function holdCenter(superuser: pg.Pool, ms: number): Promise<void> {
  const client = await superuser.connect();
  try {
    await client.query('BEGIN; SELECT FROM ledger_chain ORDER BY random() LIMIT 1 FOR UPDATE');
    await sleep(ms);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

/** Waits until no work is left; reports what remains if that takes too long. */
async function settle(superuser: pg.Pool): Promise<string | null> {
  const until = Date.now() + SETTLE_MS;
  for (;;) {
    const { rows } = await superuser.query<{ deliveries: number; runs: number; jobs: number }>(
      `SELECT (SELECT count(*)::int FROM delivery WHERE next_attempt_at IS NOT NULL) AS deliveries,
              (SELECT count(*)::int FROM workflow_execution WHERE status = 'RUNNING') AS runs,
              (SELECT count(*)::int FROM graphile_worker.jobs WHERE task_identifier IN
                ('deliver_webhook', 'run_workflow', 'seal_decision', 'start_event_workflows')) AS jobs`,
    );
    const { deliveries, runs, jobs } = rows[0]!;
    if (deliveries + runs + jobs === 0) return null;
    if (Date.now() > until) {
      const open = await superuser.query(
        `SELECT task_identifier AS task, attempts, locked_by AS holder, extract(epoch FROM run_at - now())::int AS due_in, last_error AS error
         FROM graphile_worker.jobs LIMIT 5`,
      );
      return `still open: ${deliveries} deliveries, ${runs} runs, ${jobs} jobs: ${JSON.stringify(open.rows)}`;
    }
    await sleep(200);
  }
}

async function liveApi(fleet: Fleet): Promise<string> {
  for (;;) {
    const url = fleet.api(0);
    const ready = url && (await fetch(`${url}/readyz`).catch(() => null));
    if (url && ready && ready.status === 200) return url;
    await sleep(100);
  }
}

/** Receives webhooks, and sometimes fails. */
async function startConsumer() {
  const received = new Set<string>();
  let count = 0;
  const server = createServer(async (request, response) => {
    const { id } = JSON.parse(await text(request)) as { id: string };
    if (++count % 17 === 0) return void response.writeHead(500).end();
    received.add(id);
    response.end('thanks');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
