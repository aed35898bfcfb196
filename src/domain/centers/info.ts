import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { findCenter, noSuchCenter } from './find.ts';

/** What anybody may know of an open center. */
export async function publicInfo(ctx: Context, domain: string) {
  const { status, name, centerDomain, description, logo, vertical } = await findCenter(ctx, { domain });
  if (status === 'INACTIVE') throw noSuchCenter();
  if (status === 'SUSPENDED') throw new DomainError('CENTER_SUSPENDED', 'This center is suspended.');
  return { name, centerDomain, description, logo, vertical };
}
