import { expect, vi } from 'vitest';
import type { TestApp } from './app.ts';

/**
 * Runs a piece of work during which the same transactions keep waiting for their locks: then it did not wait for them. Repeats
 * it, because on a busy machine a lock wait may time out in the meantime.
 */
export async function expectIndependent(
  { superuser }: Pick<TestApp, 'superuser'>,
  work: () => Promise<void>,
) {
  const waiters = async () => {
    const { rows } = await superuser.query(
      `SELECT pid, xact_start FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' ORDER BY pid`,
    );
    return rows;
  };
  const attempt = async () => {
    const before = await waiters();
    expect(before).not.toEqual([]);
    await work();
    expect(await waiters()).toEqual(before);
  };
  await vi.waitFor(attempt, { timeout: 50_000 });
}
