import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { SCIM_TOKEN } from '../../src/domain/scim/tokens.ts';
import { newId } from '../../src/lib/ids.ts';
import { makeStage, makeToken } from '../../test/helpers/world.ts';
import type { Survey } from '../harness/scenario.ts';
import type { Stage } from '../harness/stage.ts';

const USERS = 5_000;
const GROUPS = 50;
/** Requests of the directory in a second: what RATE_SCIM allows by default. */
const PER_SECOND = 25;
/** Import and silence alternate, so that a machine that drifts slows both. */
const WINDOW_SECONDS = 10;
/** The neighbors send at a steady rate, independent of response times. */
const EVERY_MS = 20;
const NEIGHBORS = 20;
const MOST = 1.15;

interface Call {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** Reads of other centers, by keys and by people, whose principals are cached. */
async function neighborCalls({ app }: Stage): Promise<Call[]> {
  const calls: Call[] = [];
  for (let at = 0; at < NEIGHBORS; at++) {
    const { key, center, admin } = await makeStage(app);
    const token = await makeToken(app, admin.actor.id, center.id);
    calls.push({
      method: 'GET',
      path: '/api/v1/decision-events?limit=5',
      headers: { authorization: `Bearer ${key}` },
    });
    calls.push({
      method: 'POST',
      path: '/graphql',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ me { name } members(first: 5) { edges { node { name } } } }' }),
    });
  }
  return calls;
}

/** Adds how long each call took, in milliseconds, until stopped. */
async function readUntil(
  stop: AbortSignal,
  pool: Pool,
  calls: readonly Call[],
  took: number[],
): Promise<void> {
  const sent: Promise<void>[] = [];
  for (let at = 0; !stop.aborted; at++) {
    const begun = performance.now();
    const answered = pool.request(calls[at % calls.length]!).then(async ({ statusCode, body }) => {
      const text = await body.text();
      if (statusCode !== 200 || text.includes('"errors"'))
        throw new Error(`a neighbor got ${statusCode}: ${text}`);
      took.push(performance.now() - begun);
    });
    sent.push(answered);
    await sleep(EVERY_MS);
  }
  await Promise.all(sent);
}

/** The requests of an import in their order: users, then groups with their members. */
function* requestsOf(userIds: readonly string[]): Generator<{ path: string; body: object }> {
  for (let at = 0; at < USERS; at++) {
    const address = `user${at}@directory.test`;
    const name = { givenName: 'User', familyName: String(at) };
    const emails = [{ value: address, type: 'work', primary: true }];
    yield {
      path: '/Users',
      body: { userName: address, externalId: `oid-${at}`, name, emails, active: true },
    };
  }
  const size = USERS / GROUPS;
  for (let at = 0; at < GROUPS; at++) {
    const members = userIds.slice(at * size, (at + 1) * size).map((value) => ({ value }));
    yield { path: '/Groups', body: { displayName: `Group ${at}`, externalId: `gid-${at}`, members } };
  }
}

async function makeScimToken({ app, centerId }: Stage): Promise<string> {
  const { plaintext, publicId, secretHash } = SCIM_TOKEN.fresh(app.config.cell);
  const data = { id: newId('scm'), centerId, publicId, secretHash, name: 'Directory' };
  await app.db.forCenter(centerId).scimToken.create({ data });
  return plaintext;
}

const p95 = (took: number[]) => took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.95)]!;

export const neighborBesideImport: Survey = {
  name: 'neighbor-beside-import',
  title: 'the 95th percentile of other centers while a directory imports users and groups',
  async survey(stage, say) {
    const calls = await neighborCalls(stage);
    const token = await makeScimToken(stage);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' };
    const api = await stage.api({ RATE_SCIM: '1500' });
    const readers = new Pool(`http://127.0.0.1:${api.port}`, { connections: 64 });
    const directory = new Pool(`http://127.0.0.1:${api.port}`, { connections: 32 });
    const userIds: string[] = [];
    const requests = requestsOf(userIds);
    let created = 0;
    const send = async ({ path, body }: { path: string; body: object }) => {
      const request = {
        method: 'POST',
        path: `/scim/v2${path}`,
        headers,
        body: JSON.stringify(body),
      } as const;
      const { statusCode, body: answer } = await directory.request(request);
      const { id, detail } = (await answer.json()) as { id: string; detail?: string };
      if (statusCode !== 201) throw new Error(`the directory got ${statusCode}: ${detail}`);
      if (path === '/Users') userIds.push(id);
      created++;
    };
    /** One window of the import, at a steady rate. Returns whether it is complete. */
    const importWindow = async (): Promise<boolean> => {
      const sent: Promise<void>[] = [];
      for (let at = 0; at < WINDOW_SECONDS * PER_SECOND; at++) {
        const { value, done } = requests.next();
        if (done) {
          await Promise.all(sent);
          return true;
        }
        // A group names users that must exist.
        if (value.path === '/Groups') await Promise.all(sent);
        sent.push(send(value));
        await sleep(1_000 / PER_SECOND);
      }
      await Promise.all(sent);
      return false;
    };
    const measured = async <T>(took: number[], work: () => Promise<T>): Promise<T> => {
      const stop = new AbortController();
      const reading = readUntil(stop.signal, readers, calls, took);
      const result = await work().finally(() => stop.abort());
      await reading;
      return result;
    };
    await measured([], () => sleep(WINDOW_SECONDS * 1_000));
    const [idle, busy]: [number[], number[]] = [[], []];
    for (let isComplete = false; !isComplete; ) {
      await measured(idle, () => sleep(WINDOW_SECONDS * 1_000));
      isComplete = await measured(busy, importWindow);
      say(
        `${created} created, p95 ${p95(idle).toFixed(2)} ms idle, ${p95(busy).toFixed(2)} ms beside the import`,
      );
    }
    await Promise.all([readers.close(), directory.close()]);
    const figures: [number, number] = [p95(idle), p95(busy)];
    return {
      growth: [
        {
          scenario: neighborBesideImport.name,
          call: `the p95 of other centers beside an import of ${USERS.toLocaleString('en')} users and ${GROUPS} groups`,
          of: 'SCIM requests a second',
          sizes: [0, PER_SECOND],
          p50: figures,
          ratio: figures[1] / figures[0],
          target: MOST,
        },
      ],
    };
  },
};
