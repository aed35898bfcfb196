import { z } from 'zod';
import { EvidenceLevel } from '../../db/generated/prisma/enums.ts';
import { sql } from '../../db/sql.ts';
import { doc } from '../../lib/doc.ts';
import { DomainError, validationError } from '../../lib/errors.ts';
import { plainObject } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import { checkLink } from '../ledger/chains/check-link.ts';
import { appendJournal } from '../ledger/chains/journal.ts';
import { type EvidenceLevel as Level, raise } from '../ledger/chains/levels.ts';
import { changedEntry, factsOf } from '../ledger/chains/new-dpu.ts';
import { sealedData } from '../ledger/chains/write-records.ts';
import { requireHistory } from '../ledger/sealer/transaction.ts';
import { callerOf } from '../principal.ts';
import { changeTallies } from '../tallies/tally.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { levelChanged } from './counts.ts';
import { lockDpu } from './dpu.ts';
import type { DpuView } from './dpu-row.ts';

const MOST_METADATA_BYTES = 256 * 1024;

export const updateDpuInput = z.object({
  evidenceLevel: z
    .enum(EvidenceLevel)
    .nullish()
    .meta(doc('The new evidence level, which must be higher than the present one.', 'DOCUMENTED')),
  metadata: plainObject(MOST_METADATA_BYTES)
    .nullish()
    .meta(
      doc(
        'Notes to merge into the present ones key by key; null removes a key. At most 256 KiB, not part of the hash.',
        { ticket: 'T-7' },
      ),
    ),
});

export type UpdateDpuInput = z.infer<typeof updateDpuInput>;

const UPDATE_DPU = sql('update_dpu')`
  UPDATE dpu SET evidence_level = $level::text::evidence_level, metadata = $metadata::json, sealed_at = $sealedAt::timestamptz,
                 journal_index = $index::int
  WHERE id = $id`;

/** Raises the level, merges metadata key by key (null removes a key), or both. A sealed record accepts neither. */
export async function updateDpu(ctx: Context, id: string, input: UpdateDpuInput): Promise<DpuView> {
  return transact(ctx, async (work) => {
    const dpu = await lockDpu(ctx, work, id);
    if (dpu.evidenceLevel === 'AUDIT_READY') {
      throw new DomainError('DPU_SEALED', 'The record is sealed and cannot be changed any more.');
    }
    if (dpu.erasedAt) {
      throw new DomainError('CONFLICT', 'The content of the record was erased, so it cannot be changed.');
    }
    const level = input.evidenceLevel ?? dpu.evidenceLevel;
    const sealedAt = level === 'AUDIT_READY' ? ctx.now : null;
    const changed = {
      ...dpu,
      evidenceLevel: level,
      metadata: merged(dpu.metadata, input.metadata),
      sealedAt,
    };
    if (input.evidenceLevel) await raiseLevel(ctx, work, dpu, input.evidenceLevel);
    const content = changedEntry(factsOf({ ...changed, index: dpu.chainIndex }));
    const [entry] = await appendJournal(work.db, [{ centerId: dpu.centerId, content }], ctx.now);
    await UPDATE_DPU.run(work.db, {
      id,
      level,
      metadata: JSON.stringify(changed.metadata),
      sealedAt,
      index: entry!.index,
    });
    return { ...changed, journalIndex: entry!.index };
  });
}

async function raiseLevel(ctx: Context, work: Work, dpu: DpuView, to: Level): Promise<void> {
  const from = dpu.evidenceLevel;
  if (raise(from, to) !== 'OK') {
    throw new DomainError('INVALID_EVIDENCE_LEVEL', `The level can only rise; it is already ${from}.`);
  }
  if (dpu.aiGenerated && ctx.principal.kind !== 'actor') {
    throw new DomainError('FORBIDDEN', 'Only a person can raise the evidence level of AI-generated content.');
  }
  const actorId = callerOf(ctx.principal).id ?? 'anonymous';
  if (to === 'AUDIT_READY') {
    await requireHistory(work.db);
    await checkLink(work.db, dpu);
    work.emit('dpu.sealed', sealedData(dpu.id, dpu.chainHash, dpu.domain, actorId));
  }
  await changeTallies(work.db, levelChanged(dpu.centerId, from, to));
  work.audit({
    type: 'dpu.level_raised',
    target: dpu.id,
    detail: { from, to, aiGenerated: dpu.aiGenerated },
  });
}

function merged(kept: Record<string, unknown>, change: UpdateDpuInput['metadata']): Record<string, unknown> {
  if (!change) return kept;
  const result = Object.fromEntries(
    Object.entries({ ...kept, ...change }).filter(
      ([key, value]) => value !== null || !Object.hasOwn(change, key),
    ),
  );
  if (Buffer.byteLength(JSON.stringify(result)) > MOST_METADATA_BYTES) {
    throw validationError([{ path: 'metadata', message: `must stay within ${MOST_METADATA_BYTES} bytes` }]);
  }
  return result;
}
