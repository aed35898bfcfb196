import { sql, type Transaction } from '../../db/sql.ts';
import { validationError } from '../../lib/errors.ts';
import { newSalt } from '../../lib/seal-tools.ts';
import { type Context, currentCenterId } from '../context.ts';
import { authoredEntry, journalText, storeAuthorOfLatest } from '../ledger/chains/journal.ts';
import { changedEntry, factsOf } from '../ledger/chains/new-dpu.ts';
import { authorOf } from '../principal.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { type DpuServices, lockDpu, readDpu } from './dpu.ts';
import type { DpuView } from './dpu-row.ts';
import { eraseCopies } from './erase-copies.ts';
import { consumeErasureRequest, type ErasureAuthors, requestIfTwoNeeded } from './pending-erasure.ts';

/**
 * Erases the content of a platform record and its copies. Its hash stays in the chain, the tree and the checkpoints, which
 * prove that the record existed. Erasing it again has no effect.
 */
export async function eraseDpuContent(
  ctx: Context<DpuServices>,
  id: string,
  reason: string,
): Promise<DpuView> {
  await transact(ctx, async (work) => {
    const dpu = await lockDpu(ctx, work, id);
    requirePlatform(dpu);
    if (dpu.erasedAt || (await requestIfTwoNeeded(ctx, work, { subject: id, fields: null, reason }))) return;
    await eraseContentIn(ctx, work, id, reason);
  });
  return readDpu(ctx, id);
}

/** Performs an erasure that another ADMIN requested. */
export async function confirmContentErasure(ctx: Context<DpuServices>, id: string): Promise<DpuView> {
  await transact(ctx, async (work) => {
    const { reason, authors } = await consumeErasureRequest(ctx, work, id);
    await eraseContentIn(ctx, work, id, reason, authors);
  });
  return readDpu(ctx, id);
}

function requirePlatform({ domain }: { domain: string }): void {
  if (domain !== 'platform')
    throw validationError([
      { path: 'id', message: 'is the record of a decision; erase the decision instead' },
    ]);
}

/** Members of platform events that contain no record content. */
const KEPT_IN_EVENTS = [
  'dpuId',
  'chainHash',
  'domain',
  'actorId',
  'valid',
  'chainLength',
  'brokenAt',
  'attendanceId',
  'certificateId',
  'occurredAt',
  'issuedAt',
  'workflowId',
  'executionId',
  'from',
  'to',
];

const ERASE_RUN = sql('erase_run')`
  WITH run AS (
    UPDATE workflow_execution SET parameters = '{}', error = NULL
    WHERE center_id = $centerId::int AND dpu_id = $dpuId RETURNING id)
  UPDATE workflow_step_run r SET input = NULL, output = NULL, error = NULL FROM run WHERE r.execution_id = run.id`;

/** Erases the workflow execution that the record is about, and copies of the content. */
async function eraseCopiesOfContent(tx: Transaction, dpu: DpuView): Promise<void> {
  const { id, centerId, createdAt, referenceType, referenceId } = dpu;
  await ERASE_RUN.run(tx, { centerId, dpuId: id });
  const run = referenceType === 'workflow-execution' && referenceId !== null ? [referenceId] : [];
  await eraseCopies(tx, { centerId, ids: [id, ...run], createdAt, kept: KEPT_IN_EVENTS });
}

const ERASE_RECORD_CONTENT = sql('erase_record_content')`
  SELECT erase_record_content($centerId::int, $erasure, $change, $salt, $now)`;

/** The same in the caller's transaction. The journal's head stays locked until it ends. */
export async function eraseContentIn(
  ctx: Context,
  work: Work,
  id: string,
  reason: string,
  { by, confirmedBy }: ErasureAuthors = { by: authorOf(ctx.principal) },
): Promise<void> {
  const dpu = await lockDpu(ctx, work, id);
  requirePlatform(dpu);
  if (dpu.erasedAt) return;
  const salt = newSalt();
  const centerId = currentCenterId(ctx);
  const { content, author } = authoredEntry(centerId, id, {
    author: by,
    ...(confirmedBy && { confirmedBy }),
    content: { kind: 'erased', dpuId: id, fields: ['content'], reason },
  });
  const left = { ...dpu, index: dpu.chainIndex, salt, tags: [], metadata: {} };
  await eraseCopiesOfContent(work.db, dpu);
  await ERASE_RECORD_CONTENT.run(work.db, {
    centerId,
    erasure: journalText(content),
    change: journalText(changedEntry(factsOf(left))),
    salt,
    now: ctx.now.toISOString(),
  });
  // The entry about the row's current content comes after it.
  await storeAuthorOfLatest(work.db, centerId, author!, { entry: 'erased', behind: 1 });
  const detail = { change: 'content erased', fields: ['content'], reason };
  work.audit({ type: 'center.updated', target: id, detail });
}
