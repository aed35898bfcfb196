import { declare } from '../../db/declared.ts';
import { isOutOfReach } from '../../db/faults.ts';
import type { Pool } from '../../db/pool.ts';
import { makeBatcher } from '../../lib/batcher.ts';
import type { OutboundSlots } from '../../lib/outbound/slots.ts';
import { traced } from '../../lib/tracing.ts';
import type { Infrastructure } from '../context.ts';
import { featuresOffOf } from '../features/features-off.ts';
import { attemptResult } from './attempt-result.ts';
import { deactivate, GONE, ONLY_FAILURES, PATIENCE_MS } from './deactivate.ts';
import { announceAttempts } from './deliveries.ts';
import { makeEndpointThrottle, type Outcome } from './endpoint-throttle.ts';
import { type DeliveryKey, type DueDelivery, loadDue } from './load.ts';
import { bodyOf, headersOf, type Message } from './message.ts';
import { type PutOff, putOff } from './queue.ts';
import { type Attempt, giveUp, recordAttempts } from './record-attempts.ts';
import { makeKeyring } from './secret.ts';

/** Connecting, headers and body together. */
const TIMEOUT_MS = 5_000;
const RESPONSE_BYTES_KEPT = 1_024;
/** What was read longer ago is read again before it is sent: a secret may have been rotated, a webhook switched off. */
const FRESH_MS = 100;

const BATCH = { most: 500, concurrency: 1, retryAlone: (error: unknown) => !isOutOfReach(error) };
/** Only a slot in the worker waits for these, so they may gather for a moment. */
const RECORDING = { ...BATCH, spacingMs: 15 };
/** For people who watch. */
const ANNOUNCING = { ...BATCH, spacingMs: 100 };

/** Delivers events to webhooks. One for each worker process: it knows how busy every endpoint is. */
export interface WebhookSender {
  /** Makes one attempt, now or a little later. Rejects only when the database is away. */
  deliver(key: DeliveryKey): Promise<void>;
}

export function makeWebhookSender(app: Infrastructure, pool: Pool, slots: OutboundSlots): WebhookSender {
  const { retryDelays } = app.config.webhooks;
  const throttle = makeEndpointThrottle();
  const keysOf = makeKeyring(app.vault);
  // A job knows its delivery, not yet whose it is; from there on the centers are known.
  const load = makeBatcher(loadWanted, BATCH);
  const of = (made: { centerId: number }[]) =>
    declare(
      pool,
      made.map(({ centerId }) => centerId),
    );
  const record = makeBatcher((made: Attempt[]) => recordAttempts(of(made), retryDelays, made), RECORDING);
  const requeue = makeBatcher((deliveries: PutOff[]) => putOff(pool, deliveries), BATCH);
  const announce = makeBatcher(async (made: Attempt[]) => {
    announceAttempts(app, made);
    return made.map(() => undefined);
  }, ANNOUNCING);

  /** A center without webhooks receives nothing. Its deliveries fail and can be resent later. */
  async function loadWanted(keys: DeliveryKey[]): Promise<(DueDelivery | null)[]> {
    const db = declare(pool, 'acrossTenants');
    const found = await loadDue(db, keys);
    const centers = new Set(found.flatMap((due) => due?.centerId ?? []));
    const off = await featuresOffOf(db, [...centers], app.config.enforcePlanFeatures);
    return found.map((due) => due && { ...due, wanted: due.wanted && !off.get(due.centerId)?.webhooks });
  }

  function validKeys(due: DueDelivery, now: Date) {
    const { webhookId, secret, previousSecret, previousSecretExpiresAt } = due;
    const overlap = previousSecret && previousSecretExpiresAt && previousSecretExpiresAt > now;
    return [secret, ...(overlap ? [previousSecret] : [])].map((sealed) => keysOf(sealed, webhookId));
  }

  /** What is due now; null if there is nothing to send. */
  async function lookUp(key: DeliveryKey): Promise<DueDelivery | null> {
    const due = await load(key);
    if (!due || due.wanted) return due;
    await giveUp(of([due]), key);
    return null;
  }

  async function attempt(due: DueDelivery): Promise<Outcome> {
    const startedAt = new Date();
    const number = due.attempts + 1;
    const message: Message = { ...due, attempt: number, keys: validKeys(due, startedAt) };
    const body = bodyOf(message);
    const attributes = { 'countersign.webhook': due.webhookId, 'countersign.event': due.eventId };
    const answer = await traced(
      () => ({ name: 'deliver', kind: 'client', attributes }),
      () =>
        app.outbound.post({
          url: due.url,
          headers: headersOf(message, body, startedAt),
          body,
          timeoutMs: TIMEOUT_MS,
          maxResponseBytes: RESPONSE_BYTES_KEPT,
        }),
    );
    const result = attemptResult(answer, new Date());
    app.metrics.deliveries.inc({ result: result.ok ? 'success' : 'failed' });
    const { webhookId, eventId, centerId } = due;
    const made = { webhookId, eventId, centerId, number, startedAt, ...result };
    return { ok: result.ok, durationMs: result.durationMs, afterwards: () => recordResult(made) };
  }

  async function recordResult(made: Attempt): Promise<void> {
    const { webhookId, centerId, startedAt, gone } = made;
    const { failingSince } = await record(made);
    void announce(made);
    if (gone) await deactivate(app, centerId, webhookId, GONE);
    else if (failingSince && startedAt.getTime() - failingSince.getTime() > PATIENCE_MS) {
      await deactivate(app, centerId, webhookId, ONLY_FAILURES);
    }
  }

  /** Makes the attempt if its center and its host have a slot left, or answers after how many milliseconds to come back. */
  async function attemptInSlot(due: DueDelivery): Promise<Outcome | number> {
    const { centerId, webhookId: endpoint } = due;
    const slot = slots.enter({ centerId, endpoint, host: new URL(due.url).host });
    if (typeof slot === 'number') return slot;
    const startedAt = performance.now();
    try {
      return await attempt(due);
    } finally {
      slot.leave(performance.now() - startedAt);
    }
  }

  /** Sends it when it is its turn, or answers after how many milliseconds to come back. */
  async function send(key: DeliveryKey): Promise<number | null> {
    // Before the turn, because jobs that start together are read together while they wait.
    const early = await lookUp(key);
    if (!early) return null;
    const readAt = performance.now();
    return throttle.run(key.webhookId, async () => {
      const due = performance.now() - readAt < FRESH_MS ? early : await lookUp(key);
      return due ? attemptInSlot(due) : { ok: true, durationMs: 0 };
    });
  }

  return {
    async deliver(key) {
      const delayMs = throttle.delayIfBusy(key.webhookId) ?? (await send(key));
      if (delayMs !== null) await requeue({ ...key, delayMs });
    },
  };
}
