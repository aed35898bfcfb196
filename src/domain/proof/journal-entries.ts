// What the journal of a center says about its decisions.
import type { JsonValue } from '../../proof-kit/canonical.ts';
import type { SealedApproval } from '../../proof-kit/sealed-decision.ts';
import type { JournalContent } from '../ledger/journal.ts';

/** A decision came in: nobody can make it vanish, or another of it. */
export function recordedEntry(decision: {
  event: { id: string };
  contentHash: string;
  evidenceId: string;
  dpuId: string;
  expiresAt: string | null;
}): JournalContent {
  const { event, contentHash, evidenceId, dpuId, expiresAt } = decision;
  return {
    kind: 'recorded',
    eventId: event.id,
    eventDigest: contentHash,
    evidenceId,
    dpuId,
    ...(expiresAt !== null && { expiresAt }),
  };
}

/** An approval that did not seal its decision: the first of two, or a rejection. */
export function saidEntry(
  kind: 'approved' | 'rejected',
  eventId: string,
  eventDigest: string,
  approval: SealedApproval,
): JournalContent {
  return { kind, eventId, eventDigest, approval: approval as unknown as JsonValue };
}
