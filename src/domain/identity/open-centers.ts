import type { Db, Tx } from '../../db/database.ts';
import type { ActorRole } from '../../db/generated/prisma/enums.ts';
import { decideAccess, type Visitor } from './center-access.ts';

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
}

function emailDomainsOf(settings: unknown): string[] {
  const { emailDomains } = settings as { emailDomains?: unknown };
  if (!Array.isArray(emailDomains)) return [];
  return emailDomains.filter((domain) => typeof domain === 'string').map((domain) => domain.toLowerCase());
}

/** All centers in which a person or a related account has a membership, and which of them are open. */
export async function surveyCenters(db: Db | Tx, { actorId, familyIds, email }: Visitor): Promise<Survey> {
  const invited = { status: 'INVITED' as const, invitedEmail: email ?? null };
  const memberships = await db.membership.findMany({
    where: { OR: [{ actorId: { in: [...familyIds] } }, ...(email ? [invited] : [])] },
    include: { center: true },
    orderBy: [{ invitedAt: 'asc' }, { id: 'asc' }],
  });
  const open: OpenCenter[] = [];
  for (const ofCenter of Map.groupBy(memberships, ({ centerId }) => centerId).values()) {
    const { center } = ofCenter[0]!;
    const access = decideAccess(center, ofCenter, actorId);
    if (!access.open) continue;
    const { id, name, centerDomain, settings } = center;
    open.push({ id, name, centerDomain, role: access.role, emailDomains: emailDomainsOf(settings) });
  }
  const waiting = memberships.some(
    ({ status, center }) => (status === 'PENDING' || status === 'INVITED') && center.status !== 'INACTIVE',
  );
  return { open, waiting };
}
