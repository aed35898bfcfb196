import type { Db, Tx } from '../../db/database.ts';
import type { EmailDomain } from '../../db/generated/prisma/client.ts';
import { randomToken } from '../../lib/crypto.ts';
import { objectOf } from '../../lib/json.ts';
import { type Context, currentCenterId } from '../context.ts';
import { txtRecordOf } from './txt-record.ts';

const CHALLENGE_BYTES = 20;

export interface EmailDomainView {
  domain: string;
  txtName: string;
  txtValue: string;
  verifiedAt: Date | null;
}

/** The domains in the settings of a center, normalized and without duplicates. */
export function domainsIn(settings: unknown): string[] {
  const listed = objectOf(settings)['emailDomains'];
  if (!Array.isArray(listed)) return [];
  const domains = listed.filter((domain) => typeof domain === 'string');
  return [...new Set(domains.map((domain) => domain.trim().toLowerCase()))];
}

/**
 * Gives each domain of the settings a row with a challenge, and deletes the rows of other domains. A domain that is removed and
 * added again gets a new challenge, so an old DNS record does not verify it.
 */
export async function syncEmailDomains(db: Db | Tx, centerId: number, settings: unknown): Promise<void> {
  const domains = domainsIn(settings);
  const known = await db.emailDomain.findMany({ where: { centerId }, select: { domain: true } });
  const missing = domains.filter((domain) => !known.some((row) => row.domain === domain));
  if (known.some(({ domain }) => !domains.includes(domain)))
    await db.emailDomain.deleteMany({ where: { centerId, domain: { notIn: domains } } });
  if (missing.length === 0) return;
  await db.emailDomain.createMany({
    data: missing.map((domain) => ({ centerId, domain, challenge: randomToken(CHALLENGE_BYTES) })),
    skipDuplicates: true,
  });
}

/** The domains of the caller's center, in the order of its settings, each with the DNS record that verifies it. */
export async function listEmailDomains(ctx: Context): Promise<EmailDomainView[]> {
  const id = currentCenterId(ctx);
  // A lock keeps the settings as they are until the rows fit them.
  return ctx.app.db.forCenter(id).$transaction(async (tx) => {
    await tx.$queryRaw`SELECT id FROM center WHERE id = ${id} FOR NO KEY UPDATE`;
    const { settings } = await tx.center.findUniqueOrThrow({ where: { id }, select: { settings: true } });
    await syncEmailDomains(tx, id, settings);
    const rows = await tx.emailDomain.findMany({ where: { centerId: id } });
    return domainsIn(settings).flatMap((domain) => {
      const row = rows.find((each) => each.domain === domain);
      return row ? [viewOf(row)] : [];
    });
  });
}

export const viewOf = (row: EmailDomain): EmailDomainView => ({
  domain: row.domain,
  ...txtRecordOf(row),
  verifiedAt: row.verifiedAt,
});
