import { makeSemaphore, type Semaphore } from './semaphore.ts';

interface Queue {
  inTurn: Semaphore;
  /** The number of tasks that run or wait. */
  users: number;
}

/** Limits the concurrency of tasks with the same key; further ones wait in order. */
export function makeKeyedSemaphore(permits: number): <T>(key: string, run: () => Promise<T>) => Promise<T> {
  const queues = new Map<string, Queue>();
  return async (key, run) => {
    const queue = queues.get(key) ?? { inTurn: makeSemaphore(permits), users: 0 };
    queues.set(key, queue);
    queue.users++;
    try {
      return await queue.inTurn(run);
    } finally {
      if (--queue.users === 0) queues.delete(key);
    }
  };
}
