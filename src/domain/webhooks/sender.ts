import { declare } from '../../db/declared.ts';
import { isDatabaseDown } from '../../db/faults.ts';
import type { Pool } from '../../db/pool.ts';
import { makeBatcher } from '../../lib/batcher.ts';
import type { OutboundSlots } from '../../lib/outbound/slots.ts';
import { traced } from '../../lib/tracing.ts';
import { type Infrastructure, systemContext } from '../context.ts';
import { featuresOffOf } from '../features/features-off.ts';
import { transact } from '../unit-of-work.ts';
import { announceAttempts } from './deliveries.ts';
import { makeEndpointThrottle, type Outcome } from './endpoint-throttle.ts';
import { type DeliveryKey, type DueDelivery, loadDue } from './load.ts';
import { bodyOf, headersOf, type Message } from './message.ts';
import { type PostponedDelivery, postpone } from './queue.ts';
import { type Attempt, attemptResult, giveUp, recordAttempts } from './record-attempts.ts';
import { makeKeyring } from './secret.ts';

/** An endpoint that has failed for this long is considered dead. */
export const DISABLE_AFTER_MS = 5 * 24 * 3_600_000;

export const ENDPOINT_GONE = 'The endpoint answered 410 Gone.';
const ONLY_FAILURES = 'Every delivery failed for 5 days.';

/** Deactivates a webhook automatically and shows the reason in the list. A webhook that is already inactive does not change. */
async function deactivate(app: Infrastructure, centerId: number, id: string, reason: string): Promise<void> {
  await transact(systemContext(app, 'webhooks', centerId), async (work) => {
    const { count } = await work.db.webhook.updateMany({
      where: { id, active: true },
      data: { active: false, deactivatedReason: reason },
    });
    if (count === 0) return;
    work.audit({ type: 'webhook.changed', target: id, detail: { change: 'deactivated', reason } });
  });
}

/** Covers connecting, headers and body. */
const TIMEOUT_MS = 5_000;
const RESPONSE_BYTES_KEPT = 1_024;
/** Older data is read again before sending: a secret may have been rotated or the webhook deactivated. */
const FRESH_MS = 100;

const BATCH = { most: 500, concurrency: 1, retryAlone: (error: unknown) => !isDatabaseDown(error) };
/** Only a worker slot waits for these, so they may be batched for a moment. */
const RECORDING = { ...BATCH, spacingMs: 15 };
/** For live views. */
const ANNOUNCING = { ...BATCH, spacingMs: 100 };

/** Delivers events to webhooks. There is one per worker process, because it tracks how busy every endpoint is. */
export interface WebhookSender {
  /** Makes one attempt, immediately or slightly later. Rejects only if the database is unreachable. */
  deliver(key: DeliveryKey): Promise<void>;
}

export function makeWebhookSender(app: Infrastructure, pool: Pool, slots: OutboundSlots): WebhookSender {
  const { retryDelays } = app.config.webhooks;
  const throttle = makeEndpointThrottle();
  const keysOf = makeKeyring(app.vault);
  // A job does not know its delivery's center. Later statements are scoped to the centers.
  const load = makeBatcher(loadWanted, BATCH);
  const of = (made: { centerId: number }[]) =>
    declare(
      pool,
      made.map(({ centerId }) => centerId),
    );
  const record = makeBatcher((made: Attempt[]) => recordAttempts(of(made), retryDelays, made), RECORDING);
  const requeue = makeBatcher((deliveries: PostponedDelivery[]) => postpone(pool, deliveries), BATCH);
  const announce = makeBatcher(async (made: Attempt[]) => {
    announceAttempts(app, made);
    return made.map(() => undefined);
  }, ANNOUNCING);

  /** If a center's webhooks are turned off, its deliveries fail and can be resent later. */
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

  /** The delivery if it is due now; null if there is nothing to send. */
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
    if (gone) await deactivate(app, centerId, webhookId, ENDPOINT_GONE);
    else if (failingSince && startedAt.getTime() - failingSince.getTime() > DISABLE_AFTER_MS) {
      await deactivate(app, centerId, webhookId, ONLY_FAILURES);
    }
  }

  /** Makes the attempt if its center and host have a free slot, or returns the delay in milliseconds. */
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

  /** Sends it when it is its turn, or returns the delay in milliseconds. */
  async function send(key: DeliveryKey): Promise<number | null> {
    // Loaded before the turn, so that jobs that start together are read in one batch while they wait.
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
