import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { addLargeDecisions } from '../../test/helpers/large-decisions.ts';
import { makeStage } from '../../test/helpers/world.ts';
import type { GrowthResult } from '../harness/results.ts';
import type { Survey } from '../harness/scenario.ts';

/** The default rate limits, which are under test. */
const DEFAULT_RATES = {
  RATE_STANDARD: '100',
  RATE_PUBLIC: '30',
  RATE_PROOF: '600',
  RATE_ANONYMOUS: '600',
  RATE_GRAPHQL: '1000',
  RATE_CENTER: '6000',
};

const SECONDS = 10;
/**
 * Before there were limits, 41 requests a minute from a tenant or 24 from an anonymous caller were enough; this is ten times
 * as many.
 */
const PER_SECOND = 8;
/** The neighbor sends at a steady rate, independent of response times. */
const EVERY_MS = 25;
/** As a multiple of the neighbor's p99 without an attack. */
const MOST = 5;

const JSON_BODY = { 'content-type': 'application/json' };

interface Attack {
  name: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** An event whose input and output have this many members each. */
const eventOf = (members: number, bytes: number) => {
  const value = 'x'.repeat(Math.max(1, Math.floor(bytes / members) - 12));
  const part = Object.fromEntries(Array.from({ length: members }, (_, i) => [`m${i}`, value]));
  const action = { type: 'refund.grant', input: part, output: part };
  return JSON.stringify({ type: 'custom', actor: { id: 'agent', type: 'ai_agent' }, action });
};

/** What a request of 300 bytes reads: 100 decisions of 500 KB, five times, and as much as one request may read. */
const LARGE_DECISIONS = 100;
const LARGE_BYTES = 500_000;
const PAGES = [
  { name: 'five whole pages of 50 MB', aliases: 5, first: LARGE_DECISIONS },
  { name: 'a page of 15 MB', aliases: 1, first: 30 },
];

const pagesQuery = (aliases: number, first: number) =>
  Array.from(
    { length: aliases },
    (_, i) => `a${i}: decisionEvents(first: ${first}) { edges { node { action { input output } } } }`,
  ).join(' ');

function attacks(key: string, token: string, dpuId: string): Attack[] {
  const withKey = { ...JSON_BODY, authorization: `Bearer ${key}` };
  const withToken = { ...JSON_BODY, authorization: `Bearer ${token}` };
  const exports = Array.from({ length: 30 }, (_, i) => `e${i}: dpuExport(id: "${dpuId}")`).join(' ');
  const path = '/api/v1/decision-events';
  return [
    {
      name: 'events of 2 x 250 KB in 20,000 members each',
      path,
      headers: withKey,
      body: eventOf(20_000, 250_000),
    },
    {
      name: 'events of 2 x 250 KB in 4,900 members each',
      path,
      headers: withKey,
      body: eventOf(4_900, 240_000),
    },
    {
      name: 'anonymous GraphQL, 1 MiB of {}',
      path: '/graphql',
      headers: JSON_BODY,
      body: `[${'{},'.repeat(340_000)}{}]`,
    },
    {
      name: 'anonymous sign-in, 60 KiB of {}',
      path: '/api/auth/login',
      headers: JSON_BODY,
      body: `[${'{},'.repeat(20_000)}{}]`,
    },
    {
      name: '30 aliased exports',
      path: '/graphql',
      headers: withToken,
      body: JSON.stringify({ query: `{ ${exports} }` }),
    },
    ...PAGES.map(({ name, aliases, first }) => ({
      name,
      path: '/graphql',
      headers: withKey,
      body: JSON.stringify({ query: `{ ${pagesQuery(aliases, first)} }` }),
    })),
  ];
}

/** Sends at a steady rate until stopped and ignores the responses. */
async function attack(port: number, { path, headers, body }: Attack, stop: AbortSignal): Promise<number> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 3 * PER_SECOND });
  const sent: Promise<void>[] = [];
  const send = async () => {
    const answer = await pool.request({ method: 'POST', path, headers, body }).catch(() => null);
    await answer?.body.dump().catch(() => {});
  };
  while (!stop.aborted) {
    sent.push(send());
    await sleep(1_000 / PER_SECOND);
  }
  await Promise.all(sent);
  await pool.destroy();
  return sent.length;
}

async function neighborP99(port: number, key: string): Promise<number> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 64 });
  const headers = { authorization: `Bearer ${key}` };
  const took: Promise<number>[] = [];
  for (let i = 0; i < (SECONDS * 1_000) / EVERY_MS; i++) {
    const begun = performance.now();
    const call = pool.request({ method: 'GET', path: '/api/v1/decision-events?limit=5', headers });
    took.push(
      call.then(async ({ statusCode, body }) => {
        if (statusCode !== 200) throw new Error(`the neighbor got ${statusCode}: ${await body.text()}`);
        await body.dump();
        return performance.now() - begun;
      }),
    );
    await sleep(EVERY_MS);
  }
  const sorted = (await Promise.all(took)).sort((a, b) => a - b);
  await pool.close();
  return sorted[Math.floor(sorted.length * 0.99)]!;
}

export const neighborUnderAttack: Survey = {
  name: 'neighbor-under-attack',
  title: 'the 99th percentile of a neighbor while a tenant or a stranger attacks',
  async survey(stage, say) {
    const neighbor = await makeStage(stage.app);
    await stage.admin.query('UPDATE api_key SET rate_per_minute = 6000 WHERE center_id = $1', [
      neighbor.center.id,
    ]);
    await addLargeDecisions(stage.admin, stage.centerId, LARGE_DECISIONS, LARGE_BYTES);
    const api = await stage.api(DEFAULT_RATES);
    const demo = await fetch(`http://127.0.0.1:${api.port}/api/dpu/demo`, {
      method: 'POST',
      headers: { ...JSON_BODY, authorization: `Bearer ${stage.token}` },
      body: '{}',
    });
    const { data } = (await demo.json()) as { data: { id: string } };
    await neighborP99(api.port, neighbor.key);
    const growth: GrowthResult[] = [];
    for (const each of attacks(stage.key, stage.token, data.id)) {
      const idle = await neighborP99(api.port, neighbor.key);
      const stop = new AbortController();
      const attacking = attack(api.port, each, stop.signal);
      const attacked = await neighborP99(api.port, neighbor.key);
      stop.abort();
      const sent = await attacking;
      const ratio = attacked / idle;
      say(
        `${each.name}: ${sent} sent, p99 ${idle.toFixed(1)} ms to ${attacked.toFixed(1)} ms, ${ratio.toFixed(1)} times`,
      );
      growth.push({
        scenario: neighborUnderAttack.name,
        call: `a neighbor's p99 beside ${each.name}`,
        of: 'attacks a second',
        sizes: [0, PER_SECOND],
        p50: [idle, attacked],
        ratio,
        target: MOST,
      });
    }
    return { growth };
  },
};
