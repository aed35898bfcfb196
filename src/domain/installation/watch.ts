import { type AsyncQueue, makeAsyncQueue } from '../../lib/async-queue.ts';
import type { LedgerContext } from '../ledger/ledger-app.ts';
import { type Installation, readInstallation } from './state.ts';

/** Queues and sizes have no notifications, so they are polled. */
const LOOK_MS = 5_000;
const MAX_BACKLOG = 10;

/** The state of the installation, now and after each change, while there is a subscriber. */
export function watchInstallation(ctx: LedgerContext): AsyncQueue<Installation> {
  let watched = true;
  let told = '';
  let timer: NodeJS.Timeout | undefined;
  const queue = makeAsyncQueue<Installation>({
    limit: MAX_BACKLOG,
    onClose() {
      watched = false;
      clearTimeout(timer);
    },
  });
  const look = async () => {
    // A failed read is retried later.
    const state = await readInstallation({ ...ctx, now: new Date() }).catch(() => null);
    if (!watched) return;
    const text = JSON.stringify(state);
    if (state && text !== told) {
      told = text;
      queue.push(state);
    }
    timer = setTimeout(() => void look(), LOOK_MS).unref();
  };
  void look();
  return queue;
}
