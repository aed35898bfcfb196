import type { Context } from '../domain/context.ts';
import { makeBatcher } from '../lib/batcher.ts';

type Load<Key, Result> = (ctx: Context, keys: Key[]) => Promise<Map<Key, Result>>;

/** More than any page holds. */
const MOST = 1_000;

/**
 * A read that the objects of one request share: however many of them ask in the same turn, the rows come with one
 * statement. Gives undefined where there is nothing.
 */
export function loadTogether<Key, Result>(load: Load<Key, Result>) {
  const loaders = new WeakMap<Context, (key: Key) => Promise<Result | undefined>>();
  return (ctx: Context, key: Key): Promise<Result | undefined> => {
    const own =
      loaders.get(ctx) ??
      makeBatcher(
        async (keys: Key[]) => {
          const found = await load(ctx, [...new Set(keys)]);
          return keys.map((each) => found.get(each));
        },
        { most: MOST, concurrency: 1, retryAlone: () => false },
      );
    loaders.set(ctx, own);
    return own(key);
  };
}
