import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';

/** The API key of the caller and its center. */
export async function currentKey({ db, principal }: Context) {
  if (principal.kind !== 'apiKey') throw new DomainError('UNAUTHORIZED', 'Send an API key.');
  const [apiKey, center] = await Promise.all([
    db.apiKey.findUniqueOrThrow({ where: { id: principal.keyId } }),
    db.center.findUniqueOrThrow({
      where: { id: principal.centerId },
      select: { name: true, centerDomain: true },
    }),
  ]);
  return { ...apiKey, centerName: center.name, centerDomain: center.centerDomain };
}
