// What the journal of a center says about its decisions. Members stand in canonical order, in which they are hashed.
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
    dpuId,
    eventDigest: contentHash,
    eventId: event.id,
    evidenceId,
    ...(expiresAt !== null && { expiresAt }),
    kind: 'recorded',
  };
}

/** An approval that did not seal its decision: the first of two, or a rejection. */
export function saidEntry(
  kind: 'approved' | 'rejected',
  eventId: string,
  eventDigest: string,
  approval: SealedApproval,
): JournalContent {
  return { approval: approval as unknown as JsonValue, eventDigest, eventId, kind };
}
