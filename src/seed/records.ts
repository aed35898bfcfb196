import type { App } from '../app.ts';
import type { Center } from '../db/generated/prisma/client.ts';
import { type Context, systemContext } from '../domain/context.ts';
import { recordDpu } from '../domain/dpus/append-dpu.ts';
import type { EvidenceLevel } from '../domain/ledger/levels.ts';
import { requestSeal } from '../domain/proof/approve.ts';
import { recordDecision } from '../domain/proof/record.ts';
import { decisionsOf } from './decisions.ts';

const records: { content: string; evidenceLevel: EvidenceLevel; tags: string[] }[] = [
  {
    content: 'Opening hours for the season were decided.',
    evidenceLevel: 'AUDIT_READY',
    tags: ['operations'],
  },
  {
    content: 'A new member was admitted after an interview.',
    evidenceLevel: 'DOCUMENTED',
    tags: ['members'],
  },
  { content: 'The plan for next week was drafted.', evidenceLevel: 'DRAFT', tags: ['planning', 'draft'] },
];

/** Some records on the platform chain, unless the center has any. */
export async function ensureRecords(app: App, center: Center): Promise<void> {
  const ctx = systemContext(app, 'seed', center.id);
  if ((await ctx.db.dpu.count({ where: { domain: 'platform' } })) > 0) return;
  for (const [i, record] of records.entries()) {
    await recordDpu(ctx, {
      ...record,
      content: `${center.name}: ${record.content}`,
      referenceType: 'demo',
      referenceId: `demo-${i + 1}`,
      metadata: { reason: 'Part of the demonstration data.' },
    });
  }
}

/** Decision events, the first of them sealed. Their idempotency keys make a repetition find them. */
export async function ensureDecisions(app: App, center: Center): Promise<string | null> {
  const ctx = systemContext(app, 'seed', center.id);
  const known = await sealedEventId(ctx);
  if (known) return known;
  for (const { input, approval } of decisionsOf(center.vertical)) {
    const { event } = await recordDecision(ctx, input);
    // As another system reports it: the service itself cannot stand behind what a person said.
    if (approval && event.status === 'recorded')
      await requestSeal(ctx, event.id, approval, { by: { kind: 'api_key', id: 'seed' } });
  }
  return sealedEventId(ctx);
}

async function sealedEventId({ db }: Context): Promise<string | null> {
  const event = await db.decisionEvent.findFirst({
    where: { status: 'sealed' },
    orderBy: { id: 'asc' },
    select: { id: true },
  });
  return event?.id ?? null;
}
