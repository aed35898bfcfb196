import { inTurn } from './turn-queue.ts';

/** Loads something under a key that covers everything the answer depends on. */
export type Coalesce<Result> = (key: string, ask: () => Promise<Result>) => Promise<Result>;

/**
 * Coalesces equal requests: callers who want the same at the same moment get one answer. Nobody gets one that was asked for before they came:
 * whoever comes while an answer is on its way shares the next.
 */
export function makeCoalesce<Result>(): Coalesce<Result> {
  const next = new Map<string, Promise<Result>>();
  const underWay = new Map<string, Promise<Result>>();

  async function askInTurn(key: string, ask: () => Promise<Result>): Promise<Result> {
    // After the requests that have already arrived, which may want the same.
    await new Promise<void>(inTurn);
    await underWay.get(key)?.catch(() => {});
    next.delete(key);
    const answer = ask();
    underWay.set(key, answer);
    try {
      return await answer;
    } finally {
      underWay.delete(key);
    }
  }

  return (key, ask) => {
    const joined = next.get(key) ?? askInTurn(key, ask);
    next.set(key, joined);
    return joined;
  };
}
