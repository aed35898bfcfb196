import type { RequestContext } from '../api/request-context.ts';
import { makeBatcher } from '../lib/batcher.ts';
import { isRefusal } from '../lib/content-budget.ts';
import { metered } from '../lib/row-meter.ts';

type Load<Key, Result> = (ctx: RequestContext, keys: Key[]) => Promise<Map<Key, Result>>;

/** More than any page holds. */
const MOST = 1_000;

/**
 * A batched read for the objects of one request: all that ask in the same turn share one statement. Returns undefined for
 * missing rows.
 */
export function makeLoader<Key, Result>(load: Load<Key, Result>) {
  type Loader = (key: Key) => Promise<Result | undefined>;
  return (ctx: RequestContext, key: Key): Promise<Result | undefined> => {
    ctx.loaders ??= new Map();
    const own =
      (ctx.loaders.get(load) as Loader | undefined) ??
      makeBatcher(
        async (keys: Key[]) => {
          const found = await metered(ctx.content, () => load(ctx, [...new Set(keys)])).catch(
            (error: unknown) =>
              ctx.failWhole && isRefusal(error) ? ctx.failWhole(error) : Promise.reject(error),
          );
          return keys.map((each) => found.get(each));
        },
        { most: MOST, concurrency: 1, retryAlone: () => false },
      );
    ctx.loaders.set(load, own);
    return own(key);
  };
}
