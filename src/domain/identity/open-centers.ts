import type { Db, Tx } from '../../db/database.ts';
import type { ActorRole } from '../../db/generated/prisma/enums.ts';
import { decideAccess, providerRule, type Visitor } from './center-access.ts';

/** A center that a person may enter now. */
export interface OpenCenter {
  id: number;
  name: string;
  centerDomain: string;
  role: ActorRole;
  /** People with an email address at these domains belong here. */
  emailDomains: string[];
}

export interface Survey {
  /** Oldest membership first. */
  open: OpenCenter[];
  /** Whether a membership is waiting for acceptance or approval. */
  waiting: boolean;
  /** Whether a center is closed only because it requires its identity provider. */
  providerRequired: boolean;
}

function emailDomainsOf(settings: unknown): string[] {
  const { emailDomains } = settings as { emailDomains?: unknown };
  if (!Array.isArray(emailDomains)) return [];
  return emailDomains.filter((domain) => typeof domain === 'string').map((domain) => domain.toLowerCase());
}

/** All centers in which a person or a related account has a membership, and which of them are open. */
export async function surveyCenters(db: Db | Tx, visitor: Visitor): Promise<Survey> {
  const { familyIds, email, onlyCenterId } = visitor;
  const invited = { status: 'INVITED' as const, invitedEmail: email ?? null };
  const memberships = await db.membership.findMany({
    where: {
      OR: [{ actorId: { in: [...familyIds] } }, ...(email ? [invited] : [])],
      ...(onlyCenterId !== null && { centerId: onlyCenterId }),
    },
    include: { center: { include: { identityProvider: providerRule } } },
    orderBy: [{ invitedAt: 'asc' }, { id: 'asc' }],
  });
  const open: OpenCenter[] = [];
  let providerRequired = false;
  for (const ofCenter of Map.groupBy(memberships, ({ centerId }) => centerId).values()) {
    const { center } = ofCenter[0]!;
    const access = decideAccess(center, ofCenter, visitor);
    if (!access.open) {
      providerRequired ||= access.details?.['reason'] === 'provider_required';
      continue;
    }
    const { id, name, centerDomain, settings } = center;
    open.push({ id, name, centerDomain, role: access.role, emailDomains: emailDomainsOf(settings) });
  }
  const waiting = memberships.some(
    ({ status, center }) => (status === 'PENDING' || status === 'INVITED') && center.status !== 'INACTIVE',
  );
  return { open, waiting, providerRequired };
}
