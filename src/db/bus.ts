import pg from 'pg';
import { type AsyncQueue, makeAsyncQueue } from '../lib/async-queue.ts';
import { makeBatcher } from '../lib/batcher.ts';
import { randomToken } from '../lib/crypto.ts';
import type { Log } from '../lib/log.ts';
import type { Pool } from './database.ts';
import { isDatabaseDown } from './faults.ts';
import { JOBS_CHANNEL } from './internals/graphile-worker.ts';
import { CONNECT_TIMEOUT_MS } from './limits.ts';
import { sql } from './sql.ts';

const CHANNEL = 'countersign';
/** PostgreSQL refuses payloads of 8000 bytes and more. */
const MAX_PAYLOAD = 7_900;
const RECONNECT_MS = 500;
/** How often the channel is checked, and how long an answer may take: a dead connection reports no error by itself. */
const TRY_MS = 1_000;
const SILENT_MS = 2_500;
const FENCE = 'fence';
const CATCH_UP_MS = 1_000;
const HINT_MS = 20;
/** How many messages a subscriber may fall behind. */
const MAX_BACKLOG = 1_000;

const NOTIFY = sql('notify')`SELECT pg_notify($channel, payload) FROM unnest($payloads::text[]) payload`;
/**
 * These messages may be lost, so the commit waits neither for the disk nor for a standby. All notifying commits queue for one
 * lock.
 */
const HINT = sql('hint')`WITH relaxed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
  SELECT pg_notify(n.channel, n.payload) FROM relaxed, unnest($channels::text[], $payloads::text[]) AS n(channel, payload)`;

/** A message: the id of its subject and a few small facts. Subscribers read the rest from the database, in their own scope. */
export type Message = { id: string } & Record<string, string | number | boolean | null>;

export interface Announcement {
  topic: string;
  message: Message;
}

/**
 * Publish and subscribe across processes over PostgreSQL's LISTEN/NOTIFY, with one connection per process. Nothing is sent
 * inside a transaction: a commit that notifies holds a server-wide lock until it is durable and replicated.
 */
export interface Bus {
  /** Notifies live subscribers after the commit. Messages are batched and sent shortly afterwards; a failure loses them. */
  hint(topic: string, message: Message): void;
  /** Wakes workers for jobs that were queued without NOTIFY. If this fails, workers find the jobs by polling. */
  wakeWorkers(jobs: number): void;
  /**
   * Messages from now on. The iterator ends for a subscriber that falls far behind. A subscriber that stops reading must call
   * `return`.
   */
  subscribe(topic: string): AsyncQueue<Message>;
  /** Called for every message of the topic, and with null whenever messages may have been missed. */
  on(topic: string, listener: (message: Message | null) => void): () => void;
  /**
   * Resolves when every message sent before has arrived here and very likely in other processes too, since the order is the
   * same everywhere. Gives up after a second, or if there is no channel.
   */
  caughtUp(): Promise<void>;
  /** Whether messages from other processes currently reach this one. */
  connected(): boolean;
  close(): Promise<void>;
}

function payloadOf(announcement: Announcement): string {
  const payload = JSON.stringify(announcement);
  if (Buffer.byteLength(payload) > MAX_PAYLOAD)
    throw new Error(`message for ${announcement.topic} is too long`);
  return payload;
}

export async function openBus(url: string, pool: Pool, log: Log): Promise<Bus> {
  const listeners = new Map<string, Set<(message: Message | null) => void>>();
  let client: pg.Client | undefined;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;

  function deliver(payload: string | undefined) {
    const { topic, message } = JSON.parse(payload ?? '{}') as { topic: string; message: Message };
    for (const listener of [...(listeners.get(topic) ?? [])]) listener(message);
  }

  async function connect() {
    const next = new pg.Client({
      connectionString: url,
      application_name: 'countersign bus',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    let lost = false;
    let trying: NodeJS.Timeout | undefined;
    const tryOut = () => {
      let answered = false;
      const giveUp = () => {
        if (!answered) reconnect(new Error('it does not answer'));
      };
      // After a pause of the process, the timer fires before an answer that has already arrived is read.
      const silent = setTimeout(() => setImmediate(giveUp), SILENT_MS);
      next
        .query('SELECT 1')
        .then(() => {
          answered = true;
          if (!lost && !closed) trying = setTimeout(tryOut, TRY_MS).unref();
        }, reconnect)
        .finally(() => clearTimeout(silent));
    };
    const reconnect = (error?: Error) => {
      if (lost || closed) return;
      lost = true;
      clearTimeout(trying);
      client = undefined;
      next.end().catch(() => {});
      log.warn({ reason: error?.message }, 'lost the notification channel; reconnecting');
      for (const each of listeners.values()) for (const listener of each) listener(null);
      retry = setTimeout(() => void connect().catch(() => {}), RECONNECT_MS);
    };
    next.on('error', reconnect);
    next.on('end', () => reconnect());
    next.on('notification', ({ payload }) => deliver(payload));
    try {
      await next.connect();
      await next.query(`LISTEN ${CHANNEL}`);
      // The bus was closed while this connection was being opened.
      if (closed) return await next.end();
      client = next;
      trying = setTimeout(tryOut, TRY_MS).unref();
    } catch (error) {
      reconnect(error as Error);
      throw error;
    }
  }
  await connect().catch((error: unknown) => {
    // A restarting server closed the connection: reconnect as after any other loss.
    if (!isDatabaseDown(error)) throw error;
  });

  /** Commits that notify wait for each other across the whole server, so concurrent messages share one commit. */
  const sendNow = makeBatcher(
    async (payloads: string[]) => {
      await NOTIFY.run(pool, { channel: CHANNEL, payloads });
      return payloads;
    },
    { most: 100, concurrency: 1, retryAlone: () => false },
  );

  const hints: string[] = [];
  let queuedJobs = 0;
  let hinting: NodeJS.Timeout | undefined;

  async function sendHints() {
    clearTimeout(hinting);
    hinting = undefined;
    const payloads = hints.splice(0);
    const channels = payloads.map(() => CHANNEL);
    if (queuedJobs > 0) {
      payloads.push(JSON.stringify({ r: Math.random(), count: queuedJobs }));
      channels.push(JOBS_CHANNEL);
      queuedJobs = 0;
    }
    if (payloads.length === 0) return;
    await HINT.run(pool, { channels, payloads }).catch((error: unknown) =>
      log.warn({ err: error }, 'could not send notifications'),
    );
  }

  function on(topic: string, listener: (message: Message | null) => void) {
    const set = listeners.get(topic) ?? new Set();
    listeners.set(topic, set.add(listener));
    return () => {
      set.delete(listener);
      if (set.size === 0 && listeners.get(topic) === set) listeners.delete(topic);
    };
  }

  function subscribe(topic: string): AsyncQueue<Message> {
    const queue = makeAsyncQueue<Message>({ limit: MAX_BACKLOG, onClose: () => stop() });
    const stop = on(topic, (message) => message && queue.push(message));
    return queue;
  }

  async function caughtUp() {
    if (!client) return;
    const id = randomToken(12);
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = on(FENCE, (message) => {
      if (message === null || message.id === id) resolve();
    });
    const timer = setTimeout(resolve, CATCH_UP_MS);
    try {
      await sendNow(payloadOf({ topic: FENCE, message: { id } }));
      await promise;
    } finally {
      clearTimeout(timer);
      stop();
    }
  }

  return {
    hint(topic, message) {
      hints.push(payloadOf({ topic, message }));
      hinting ??= setTimeout(() => void sendHints(), HINT_MS);
    },
    wakeWorkers(jobs) {
      queuedJobs += jobs;
      hinting ??= setTimeout(() => void sendHints(), HINT_MS);
    },
    subscribe,
    on,
    caughtUp,
    connected: () => client !== undefined,
    async close() {
      closed = true;
      clearTimeout(retry);
      await sendHints();
      await client?.end().catch(() => {});
    },
  };
}
