import { canonicalJson } from '@countersign/proof-kit/canonical';
import { OUTCOME, type PlainOutcome } from '@countersign/proof-kit/decision';
import type { ApprovedByKind } from '../../../../../db/generated/prisma/enums.ts';
import { keptAuthor } from '../../../../ledger/chains/journal.ts';
import { reseal, type StoredDocument } from '../../../content.ts';

export interface OutcomeColumns extends StoredDocument<PlainOutcome> {
  center_id: number;
  event_id: string;
  journal_index: number;
  recorded_at: string;
}

interface AuthorColumns {
  by_kind: ApprovedByKind;
  by_id: string | null;
  salt: string | null;
}

/** Whether the reported outcome of a decision differs from the one on the journal. */
export function outcomeDiffers(
  row: OutcomeColumns,
  by: AuthorColumns | null,
  content: string | null,
  timestamp: string | null,
): boolean {
  try {
    if (by === null || row.content.eventId !== row.event_id) return true;
    if (new Date(row.recorded_at).toISOString() !== timestamp) return true;
    const { by_kind: kind, by_id: id, salt } = by;
    const author = keptAuthor({ kind, salt, ...(id !== null && { id }) });
    const { sealed } = reseal(OUTCOME, row);
    const whole = { ...sealed, by: author, ...((author._sd || sealed._sd) && { _sd_alg: 'sha-256' }) };
    return canonicalJson(whole as never) !== canonicalJson(JSON.parse(content ?? 'null'));
  } catch {
    return true;
  }
}
