import { execute } from '../../db/sql.ts';
import { newId } from '../../lib/ids.ts';
import { newSalt } from '../../lib/seal-tools.ts';
import { type Context, currentCenterId } from '../context.ts';
import { link, lockHeads, type Place } from '../ledger/chains/chains.ts';
import { journalText } from '../ledger/chains/journal.ts';
import { createdEntry, currentDpu, type DpuDraft, factsOf } from '../ledger/chains/new-dpu.ts';
import { recordsStatement, sealedData } from '../ledger/chains/write-records.ts';
import type { LedgerContext } from '../ledger/ledger-app.ts';
import type { Draft, SealKind } from '../ledger/sealer/kinds.ts';
import { requireHistory } from '../ledger/sealer/transaction.ts';
import { sizeOf } from '../limits/storage.ts';
import { callerOf } from '../principal.ts';
import type { Work } from '../unit-of-work.ts';

/** A record of the platform itself: a demonstration, an attendance, a certificate, a workflow execution. */
interface NewDpu extends Partial<DpuDraft> {
  /** The exact text that is hashed. */
  content: string;
}

/** A new record: the DPU and its position on the chain. */
export interface DpuPlace extends Place {
  dpuId: string;
}

/** Every request is admitted, and is already the draft. */
const platformRecord: SealKind<Draft<string>, string> = {
  name: 'platform record',
  grows: ['platform', 'journal'],
  admit: async (_, drafts) => drafts,
};

/** Appends a record to the platform chain of the caller's center, batched with other waiting requests. */
export async function recordDpu(ctx: LedgerContext, input: NewDpu): Promise<DpuPlace> {
  const { content, ...dpu } = withDefaults(ctx, input);
  await ctx.app.storage.reserve(currentCenterId(ctx), sizeOf(input));
  const { place, result } = await ctx.app.sealer.seal({
    kind: platformRecord,
    centerId: currentCenterId(ctx),
    // The id is part of the result: a request that completes an earlier one must not return a new id.
    request: { domain: 'platform', content, dpu, result: dpu.id },
    idempotency: ctx.idempotency,
  });
  return { ...place!, dpuId: result };
}

/**
 * The same inside a unit of work, for records that must be committed together with other rows. The heads of the platform chain
 * and the journal stay locked until then, so call it late.
 */
export async function recordDpuIn(ctx: Context, work: Work, input: NewDpu): Promise<DpuPlace> {
  const { content, ...dpu } = withDefaults(ctx, input);
  const centerId = currentCenterId(ctx);
  const names = (['platform', 'journal'] as const).map((domain) => ({ centerId, domain }));
  await requireHistory(work.db);
  const heads = await lockHeads(work.db, names, 'wait');
  const head = (domain: string) => heads.find((each) => each.domain === domain)!;
  const at = ctx.now.toISOString();
  const place = link(head('platform'), content, at);
  const { chainId, index } = place;
  const domain = 'platform' as const;
  const row = { ...dpu, centerId, chainId, index, domain, salt: newSalt(), journalIndex: null };
  const facts = factsOf(currentDpu(row, head('platform').vertical, ctx.now));
  const entry = link(head('journal'), journalText(createdEntry([facts])), at);
  const written = { records: [place, entry], dpus: [{ ...row, journalIndex: entry.index }], audit: [] };
  await execute(work.db, recordsStatement(written, heads, ctx.now));
  if (dpu.evidenceLevel === 'AUDIT_READY') {
    work.emit('dpu.sealed', sealedData(dpu.id, place.hash, 'platform', dpu.actorId), centerId);
  }
  return { ...place, dpuId: dpu.id };
}

function withDefaults(ctx: Context, input: NewDpu): DpuDraft & { content: string } {
  return {
    id: newId('dpu'),
    evidenceLevel: 'DRAFT',
    actorId: callerOf(ctx.principal).id ?? 'anonymous',
    ...input,
  };
}
