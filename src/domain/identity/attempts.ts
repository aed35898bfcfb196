import type { Context } from '../context.ts';
import { RateLimitExceeded } from '../limits/limiter.ts';

/** Every attempt to prove a secret counts, and the answer shows the count, also when it is used up. */
export async function countAttempt(ctx: Context, name: string): Promise<void> {
  try {
    ctx.onCounted(await ctx.app.limiter.countLogin(ctx.ip ?? '', name, ctx.now));
  } catch (error) {
    if (error instanceof RateLimitExceeded) ctx.onCounted(error.rate);
    throw error;
  }
}
