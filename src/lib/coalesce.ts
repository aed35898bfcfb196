import { metered } from './row-meter.ts';
import { inTurn } from './turn-queue.ts';

/** Loads a value; the key must cover everything the result depends on. */
export type Coalesce<Result> = (key: string, ask: () => Promise<Result>) => Promise<Result>;

/**
 * Coalesces equal requests: concurrent callers of the same key share one load. A caller never gets a load that started before
 * its call: callers that arrive during a load share the next one.
 */
export function makeCoalesce<Result>(): Coalesce<Result> {
  const next = new Map<string, Promise<Result>>();
  const underWay = new Map<string, Promise<Result>>();

  async function askInTurn(key: string, ask: () => Promise<Result>): Promise<Result> {
    // Runs after the requests that have already arrived, which may want the same value.
    await new Promise<void>(inTurn);
    await underWay.get(key)?.catch(() => {});
    next.delete(key);
    // It serves several callers, so its rows count for none of them.
    const answer = metered(null, ask);
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
