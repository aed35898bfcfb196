// Where notices to a person are mailed. A center makes up the addresses of its own people, so without this rule it could have
// mails sent to strangers.
import type { Db, Tx } from '../../db/database.ts';
import type { Actor } from '../../db/generated/prisma/client.ts';
import { domainOf } from './trust.ts';

export type Addressee = Pick<Actor, 'email' | 'contactEmail' | 'homeCenterId'>;

/** What `mailAddressOf` needs to know of an actor. */
export const addresseeColumns = { email: true, contactEmail: true, homeCenterId: true } as const;

/**
 * The address for notices: that of an account; for a person of a center the claimed one, if the center has verified its
 * domain; null without one.
 */
export async function mailAddressOf(db: Db | Tx, person: Addressee): Promise<string | null> {
  return (await mailAddressesOf(db, [person]))[0]!;
}

/** The same for several people, in one query. */
export async function mailAddressesOf(db: Db | Tx, people: readonly Addressee[]): Promise<(string | null)[]> {
  const claims = people.flatMap(({ homeCenterId, contactEmail }) =>
    homeCenterId !== null && contactEmail !== null
      ? [{ centerId: homeCenterId, domain: domainOf(contactEmail) }]
      : [],
  );
  const verified =
    claims.length === 0
      ? []
      : await db.emailDomain.findMany({
          where: {
            centerId: { in: claims.map(({ centerId }) => centerId) },
            domain: { in: claims.map(({ domain }) => domain) },
            verifiedAt: { not: null },
          },
          select: { centerId: true, domain: true },
        });
  return people.map(({ email, homeCenterId, contactEmail }) => {
    if (homeCenterId === null) return email;
    if (contactEmail === null) return null;
    const domain = domainOf(contactEmail);
    const isTrusted = verified.some((each) => each.centerId === homeCenterId && each.domain === domain);
    return isTrusted ? contactEmail : null;
  });
}

/** The same rule as SQL, for a row `a` of `actor`. */
export const MAIL_ADDRESS = `CASE WHEN a.home_center_id IS NULL THEN a.email ELSE (
    SELECT a.contact_email FROM email_domain v
    WHERE v.center_id = a.home_center_id AND v.verified_at IS NOT NULL
      AND v.domain = lower(split_part(a.contact_email, '@', -1))) END`;
