import { isOutOfReach } from '../../db/faults.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';

/**
 * Runs the creation of a center. Errors other than the caller's own mistakes are reported as one failure, and the cause is
 * logged. An unreachable database is reported as such, because a retry can help.
 */
export async function orProvisioningFailed<T>(ctx: Context, create: () => Promise<T>): Promise<T> {
  try {
    return await create();
  } catch (error) {
    if (error instanceof DomainError || isOutOfReach(error)) throw error;
    ctx.app.log.error({ err: error, requestId: ctx.requestId }, 'a center could not be created');
    throw new DomainError('PROVISIONING_FAILED', 'The center could not be created; nothing was kept.', {
      cause: error,
    });
  }
}
