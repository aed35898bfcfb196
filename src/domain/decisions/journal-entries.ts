// Journal entries about decisions. Members are in canonical order, the order in which they are hashed.
import type { SealedAuthor } from '@countersign/proof-kit/author';
import type { JsonValue } from '@countersign/proof-kit/canonical';
import type { SealedApproval, SealedEvent } from '@countersign/proof-kit/decision';
import type { JournalContent } from '../ledger/chains/journal.ts';

/** A decision was recorded: it cannot be removed or changed unnoticed. */
export function recordedEntry(decision: {
  event: { id: string };
  contentHash: string;
  evidenceId: string;
  dpuId: string;
  expiresAt: string | null;
  by: SealedAuthor;
}): JournalContent {
  const { event, contentHash, evidenceId, dpuId, expiresAt, by } = decision;
  return {
    ...sealedBy(by),
    dpuId,
    eventDigest: contentHash,
    eventId: event.id,
    evidenceId,
    ...(expiresAt !== null && { expiresAt }),
    kind: 'recorded',
  };
}

/** An approval that did not seal its decision: the first of several. */
export function approvedEntry(
  eventId: string,
  eventDigest: string,
  approval: SealedApproval,
): JournalContent {
  return { approval: approval as unknown as JsonValue, eventDigest, eventId, kind: 'approved' };
}

/** The final rejection of a decision. Contains the whole sealed event, so that the rejection can be proven. */
export function rejectedEntry(
  event: SealedEvent,
  eventDigest: string,
  approval: SealedApproval,
  by: SealedAuthor,
): JournalContent {
  return {
    ...sealedBy(by),
    approval: approval as unknown as JsonValue,
    event: event as unknown as JsonValue,
    eventDigest,
    eventId: event.id,
    kind: 'rejected',
  };
}

const sealedBy = (by: SealedAuthor) => ({
  ...(by._sd && { _sd_alg: 'sha-256' }),
  by: by as unknown as JsonValue,
});
