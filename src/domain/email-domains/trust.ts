import type { Db, Tx } from '../../db/database.ts';

/** The part of an address after the last `@`, as `email_domain` stores domains. */
export const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** Whether the address belongs to a domain that the center has verified. Subdomains are separate domains. */
export async function isVerifiedDomainOf(db: Db | Tx, centerId: number, email: string): Promise<boolean> {
  if (!email.includes('@')) return false;
  const where = { centerId, domain: domainOf(email), verifiedAt: { not: null } };
  return (await db.emailDomain.count({ where })) > 0;
}

/** The center that has verified the domain of an address, if any. */
export async function centerOfAddress(db: Db | Tx, email: string): Promise<number | null> {
  if (!email.includes('@')) return null;
  const where = { domain: domainOf(email), verifiedAt: { not: null } };
  return (await db.emailDomain.findFirst({ where, select: { centerId: true } }))?.centerId ?? null;
}
