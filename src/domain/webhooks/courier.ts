import { LRUCache } from 'lru-cache';
import { isOutOfReach } from '../../db/faults.ts';
import { makeBatcher } from '../../lib/batcher.ts';
import type { App } from '../app.ts';
import { deactivate, GONE, ONLY_FAILURES, PATIENCE_MS } from './deactivate.ts';
import { makeLanes, type Outcome } from './lanes.ts';
import { announceAttempts } from './live.ts';
import { type DeliveryKey, type DueDelivery, loadDue } from './load.ts';
import { bodyOf, headersOf, type Message } from './message.ts';
import { putOff } from './queue.ts';
import { type Attempt, giveUp, recordAttempts } from './record.ts';
import { openSecret } from './secret.ts';
import { judge } from './verdict.ts';

/** Connecting, headers and body together. */
const TIMEOUT_MS = 5_000;
const RESPONSE_BYTES_KEPT = 1_024;
const SECRETS_KEPT = 10_000;
const BATCH = { most: 200, concurrency: 2, retryAlone: (error: unknown) => !isOutOfReach(error) };

/** Carries events to webhooks. One for each worker process: it knows how busy every endpoint is. */
export interface Courier {
  /** Makes one attempt, now or a little later. Rejects only when the database is away. */
  deliver(key: DeliveryKey): Promise<void>;
}

export function makeCourier(app: App): Courier {
  const { pool } = app.db;
  const { retryDelays } = app.config.webhooks;
  const lanes = makeLanes();
  const load = makeBatcher((keys: DeliveryKey[]) => loadDue(pool, keys), BATCH);
  const record = makeBatcher(async (attempts: Attempt[]) => {
    const standings = await recordAttempts(pool, retryDelays, attempts);
    announceAttempts(app, attempts);
    return standings;
  }, BATCH);
  const comeBack = makeBatcher((deliveries: Parameters<typeof putOff>[1]) => putOff(pool, deliveries), BATCH);
  // Encrypted secrets are unique, so the ciphertext itself is the key.
  const secrets = new LRUCache<string, string>({ max: SECRETS_KEPT });

  function plain(sealed: string, webhookId: string): string {
    const known = secrets.get(sealed);
    if (known) return known;
    const secret = openSecret(app.vault, sealed, webhookId);
    secrets.set(sealed, secret);
    return secret;
  }

  function validSecrets(due: DueDelivery, now: Date): string[] {
    const { webhookId, previousSecret, previousSecretExpiresAt } = due;
    const overlap = previousSecret && previousSecretExpiresAt && previousSecretExpiresAt > now;
    return [due.secret, ...(overlap ? [previousSecret] : [])].map((sealed) => plain(sealed, webhookId));
  }

  async function attempt(due: DueDelivery): Promise<Outcome> {
    const startedAt = new Date();
    const number = due.attempts + 1;
    const message: Message = { ...due, attempt: number, secrets: validSecrets(due, startedAt) };
    const body = bodyOf(message);
    const result = await app.outbound.post({
      url: due.url,
      headers: headersOf(message, body, startedAt),
      body,
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: RESPONSE_BYTES_KEPT,
    });
    const verdict = judge(result, new Date());
    app.metrics.deliveries.inc({ result: verdict.ok ? 'success' : 'failed' });
    const { webhookId, eventId, centerId } = due;
    const made = { webhookId, eventId, centerId, number, startedAt, ...verdict };
    return { ok: verdict.ok, durationMs: verdict.durationMs, afterwards: () => writeDown(made) };
  }

  async function writeDown(made: Attempt): Promise<void> {
    const { webhookId, centerId, startedAt, gone } = made;
    const { failingSince } = await record(made);
    if (gone) await deactivate(app, centerId, webhookId, GONE);
    else if (failingSince && startedAt.getTime() - failingSince.getTime() > PATIENCE_MS) {
      await deactivate(app, centerId, webhookId, ONLY_FAILURES);
    }
  }

  return {
    async deliver(key) {
      const delayMs = await lanes.run(key.webhookId, async () => {
        const due = await load(key);
        if (due?.wanted) return attempt(due);
        if (due) await giveUp(pool, key);
        return { ok: true, durationMs: 0 };
      });
      if (delayMs !== null) await comeBack({ ...key, delayMs });
    },
  };
}
