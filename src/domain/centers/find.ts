import type { Center } from '../../db/generated/prisma/client.ts';
import type { ActorRole, Vertical } from '../../db/generated/prisma/enums.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { decideAccess, providerRule, requireOpen } from '../identity/center-access.ts';
import { currentActor } from '../identity/me.ts';

const SLUG = /^[a-z0-9-]{1,63}$/;
const LARGEST_ID = 2_147_483_647;

/** How a caller names a center: by number or by domain slug. */
export type CenterRef = { id: string | number } | { domain: string };

export const centerNotFound = () => new DomainError('CENTER_NOT_FOUND', 'Center not found.');

/** The center of that name, regardless of its status and the caller. Callers decide what to disclose. */
export async function findCenter({ app }: Context, ref: CenterRef): Promise<Center> {
  const center = await app.db.acrossTenants.center.findUnique({ where: whereOf(ref) });
  if (!center) throw centerNotFound();
  return center;
}

/** The verticals of centers by domain. */
export async function verticalsOf({ app }: Context, domains: string[]): Promise<Map<string, Vertical>> {
  const centers = await app.db.acrossTenants.center.findMany({
    where: { centerDomain: { in: domains } },
    select: { centerDomain: true, vertical: true },
  });
  return new Map(centers.map(({ centerDomain, vertical }) => [centerDomain, vertical]));
}

/** The center and the caller's role, if their family may enter it now. Otherwise throws the error that says why not. */
export async function enterCenter(
  ctx: Context,
  ref: CenterRef,
): Promise<{ center: Center; role: ActorRole }> {
  const visitor = currentActor(ctx);
  const found = await ctx.app.db.acrossTenants.center.findUnique({
    where: whereOf(ref),
    include: {
      memberships: { where: { actorId: { in: visitor.familyIds } } },
      identityProvider: providerRule,
    },
  });
  if (!found) throw centerNotFound();
  const { memberships, identityProvider: _, ...center } = found;
  const { role } = requireOpen(decideAccess(found, memberships, visitor));
  return { center, role };
}

function whereOf(ref: CenterRef) {
  return 'id' in ref ? { id: idOf(ref.id) } : { centerDomain: slugOf(ref.domain) };
}

// An invalid name matches no center.
function idOf(id: string | number): number {
  const number = /^\d{1,10}$/.test(String(id)) ? Number(id) : 0;
  if (number < 1 || number > LARGEST_ID) throw centerNotFound();
  return number;
}

function slugOf(domain: string): string {
  const slug = domain.toLowerCase();
  if (!SLUG.test(slug)) throw centerNotFound();
  return slug;
}
