import { z } from 'zod';
import { isUniqueViolation } from '../../db/faults.ts';
import { DomainError, validationError } from '../../lib/errors.ts';
import { plainText } from '../../lib/text.ts';
import { type Context, currentCenterId } from '../context.ts';
import { transact } from '../unit-of-work.ts';
import { type EmailDomainView, listEmailDomains, viewOf } from './rows.ts';
import { lookUpRecord, txtRecordOf } from './txt-record.ts';

export const verifyEmailDomainInput = z.object({
  domain: plainText(253)
    .trim()
    .toLowerCase()
    .min(1)
    .describe('A domain from `settings.emailDomains`, such as `example.org`.'),
});

/** Looks up the DNS record of a domain now. A domain belongs to one center at a time. */
export async function verifyEmailDomain(
  ctx: Context,
  { domain }: z.infer<typeof verifyEmailDomainInput>,
): Promise<EmailDomainView> {
  const centerId = currentCenterId(ctx);
  if (!(await listEmailDomains(ctx)).some((each) => each.domain === domain)) {
    throw invalid('must be one of settings.emailDomains; add it there first');
  }
  await requireUnclaimed(ctx, centerId, domain);
  const row = await ctx.db.emailDomain.findUniqueOrThrow({
    where: { centerId_domain: { centerId, domain } },
  });
  const record = txtRecordOf(row);
  const found = await lookUpRecord(ctx.app, record);
  if (found !== 'found') {
    throw invalid(
      found === 'missing'
        ? `the DNS has no TXT record ${record.txtName} with the value ${record.txtValue}`
        : `the DNS servers gave no answer about ${record.txtName}; try again later`,
    );
  }
  try {
    return await transact(ctx, async (work) => {
      const isNew = row.verifiedAt === null;
      const verified = { verifiedAt: row.verifiedAt ?? ctx.now, checkedAt: ctx.now, misses: 0 };
      // The challenge guards against a domain that was removed and added again in the meantime.
      const [changed] = await work.db.emailDomain.updateManyAndReturn({
        where: { centerId, domain, challenge: row.challenge },
        data: verified,
      });
      if (!changed) throw invalid('was removed from settings.emailDomains');
      if (isNew) {
        const detail = { change: 'email domain verified', domain, txtName: record.txtName };
        work.audit({ type: 'center.updated', target: String(centerId), detail });
      }
      return viewOf(changed);
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw claimed(domain);
    throw error;
  }
}

async function requireUnclaimed({ app }: Context, centerId: number, domain: string): Promise<void> {
  const where = { domain, verifiedAt: { not: null }, centerId: { not: centerId } };
  if ((await app.db.acrossTenants.emailDomain.count({ where })) > 0) throw claimed(domain);
}

const claimed = (domain: string) =>
  new DomainError(
    'CONFLICT',
    `Another center has verified ${domain}. It must remove the domain from its settings first.`,
  );

const invalid = (message: string) => validationError([{ path: 'input.domain', message }]);
