import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';

/** Throws unless the caller's center has this workflow. */
export async function requireWorkflow(ctx: Context, id: string): Promise<void> {
  const found = await ctx.db.workflow.findUnique({ where: { id, deletedAt: null }, select: { id: true } });
  if (!found) throw new DomainError('NOT_FOUND', 'There is no such workflow.');
}
