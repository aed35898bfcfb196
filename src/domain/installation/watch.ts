import { type AsyncQueue, makeAsyncQueue } from '../../lib/async-queue.ts';
import type { LedgerContext } from '../ledger/ledger-app.ts';
import { type Installation, readInstallation } from './state.ts';

/** Nothing tells of queues and sizes by itself: somebody has to look. */
const LOOK_MS = 5_000;
const MAX_BACKLOG = 10;

/** How the installation stands now, and again whenever it stands otherwise, for as long as somebody watches. */
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
    // What cannot be read now can be read later.
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
