import { type Infrastructure, systemContext } from '../context.ts';
import { transact } from '../unit-of-work.ts';

/** An endpoint that has failed for this long is considered dead. */
export const PATIENCE_MS = 5 * 24 * 3_600_000;

export const GONE = 'The endpoint answered 410 Gone.';
export const ONLY_FAILURES = 'Every delivery failed for 5 days.';

/** Deactivates a webhook automatically and shows the reason in the list. A webhook that is already inactive does not change. */
export async function deactivate(
  app: Infrastructure,
  centerId: number,
  id: string,
  reason: string,
): Promise<void> {
  await transact(systemContext(app, 'webhooks', centerId), async (work) => {
    const { count } = await work.db.webhook.updateMany({
      where: { id, active: true },
      data: { active: false, deactivatedReason: reason },
    });
    if (count === 0) return;
    work.audit({ type: 'webhook.changed', target: id, detail: { change: 'deactivated', reason } });
  });
}
