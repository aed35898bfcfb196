import type { EmailDomain } from '../../db/generated/prisma/client.ts';
import { type Infrastructure, systemContext } from '../context.ts';
import { transact } from '../unit-of-work.ts';
import { lookUpRecord, txtRecordOf } from './txt-record.ts';

const HOUR_MS = 3_600_000;
/** A little less than a day, so that the check stays at the same time of day. */
const CHECK_EVERY_MS = 23 * HOUR_MS;
const MAX_MISSES = 3;
/** A domain whose DNS servers give no definite answer for this long is lost like one without a record. */
const MAX_SILENCE_MS = 7 * 24 * HOUR_MS;
/** Lookups at the same time. */
const CONCURRENCY = 20;
const BATCH = 500;

/**
 * Looks up the record of each verified domain once a day. After three misses in a row the domain is no longer verified: it may
 * have another owner. A failure of the DNS is not a miss; such a domain is looked up again an hour later.
 */
export async function checkEmailDomains(app: Infrastructure, now: Date): Promise<void> {
  const due = new Date(now.getTime() - CHECK_EVERY_MS);
  let last = { centerId: 0, domain: '' };
  for (;;) {
    const { centerId, domain } = last;
    const rows = await app.db.acrossTenants.emailDomain.findMany({
      where: {
        verifiedAt: { not: null },
        checkedAt: { lt: due },
        OR: [{ centerId: { gt: centerId } }, { centerId, domain: { gt: domain } }],
      },
      orderBy: [{ centerId: 'asc' }, { domain: 'asc' }],
      take: BATCH,
    });
    for (let i = 0; i < rows.length; i += CONCURRENCY)
      await Promise.all(rows.slice(i, i + CONCURRENCY).map((row) => check(app, row, now)));
    if (rows.length < BATCH) return;
    last = rows.at(-1)!;
  }
}

async function check(app: Infrastructure, row: EmailDomain, now: Date): Promise<void> {
  const found = await lookUpRecord(app, txtRecordOf(row));
  if (found === 'found') return note(app, row, { misses: 0, checkedAt: now });
  if (found === 'missing') {
    const misses = row.misses + 1;
    return misses < MAX_MISSES
      ? note(app, row, { misses, checkedAt: now })
      : lose(app, row, 'record_missing');
  }
  const silentSince = row.checkedAt?.getTime() ?? 0;
  if (now.getTime() - silentSince > MAX_SILENCE_MS) await lose(app, row, 'no_dns_answer');
}

/** A row that was checked or replaced in the meantime stays as it is. */
const unchanged = ({ centerId, domain, challenge, checkedAt }: EmailDomain) => ({
  centerId,
  domain,
  challenge,
  checkedAt,
});

async function note(
  { db }: Infrastructure,
  row: EmailDomain,
  data: { misses: number; checkedAt: Date },
): Promise<void> {
  await db.acrossTenants.emailDomain.updateMany({ where: unchanged(row), data });
}

async function lose(
  app: Infrastructure,
  row: EmailDomain,
  reason: 'record_missing' | 'no_dns_answer',
): Promise<void> {
  const { centerId, domain } = row;
  const ctx = systemContext(app, 'email-domains', centerId);
  await transact(ctx, async (work) => {
    const { count } = await work.db.emailDomain.updateMany({
      where: unchanged(row),
      data: { verifiedAt: null, misses: 0, checkedAt: ctx.now },
    });
    if (count === 0) return;
    const detail = { change: 'email domain lost', domain, reason };
    work.audit({ type: 'center.updated', target: String(centerId), detail });
  });
}
