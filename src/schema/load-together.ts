import type { Context } from '../domain/context.ts';
import { makeBatcher } from '../lib/batcher.ts';

type Load<Result> = (ctx: Context, ids: string[]) => Promise<Map<string, Result>>;

/** More than any page holds. */
const MOST = 1_000;

/**
 * A read that the objects of one request share: however many of them ask in the same turn, the rows come with one
 * statement. Gives undefined where there is nothing.
 */
export function loadTogether<Result>(load: Load<Result>) {
  const loaders = new WeakMap<Context, (id: string) => Promise<Result | undefined>>();
  return (ctx: Context, id: string): Promise<Result | undefined> => {
    const own =
      loaders.get(ctx) ??
      makeBatcher(
        async (ids: string[]) => {
          const found = await load(ctx, [...new Set(ids)]);
          return ids.map((each) => found.get(each));
        },
        { most: MOST, concurrency: 1, retryAlone: () => false },
      );
    loaders.set(ctx, own);
    return own(id);
  };
}
