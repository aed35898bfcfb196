/** The claims of a proof: what it says about the log, to be compared with other proofs. */
import { type Claims, claimedRecords } from './compare-proofs.ts';
import type { DisclosedDecision, DisclosedRejection } from './disclose.ts';
import type { ProofDocument } from './proof-document.ts';
import { HASH_PREFIX, recordHash } from './record.ts';
import type { DeclaredClosing } from './verify-closings.ts';
import { type LogCheck, logNumberOf } from './verify-log.ts';

interface Checked {
  log: LogCheck;
  origin: string | null;
  service: string;
  decision: DisclosedDecision | null;
  rejection: DisclosedRejection | null;
  closings: readonly DeclaredClosing[];
  /** The claims of the decision that granted the mandate. */
  granting: Claims | null;
}

export function claimsOf({ evidence, outcome, head }: ProofDocument, checked: Checked): Claims {
  const { log, origin, service, decision, rejection, closings, granting } = checked;
  const { hash, previousHash, index } = evidence.chain;
  const { mandate } = decision?.content ?? {};
  const eventId = (decision ?? rejection)?.event.id;
  const records = log.records.map((record) => ({
    ...record,
    hash: HASH_PREFIX + record.hash,
    previousHash: record.previousHash === '' ? null : HASH_PREFIX + record.previousHash,
  }));
  return {
    origin,
    index,
    hash,
    previousHash,
    log: head ? logNumberOf(head) : null,
    checkpoints: [...log.checkpoints, ...(granting?.checkpoints ?? [])],
    isTrusted: log.signers.length > 0 && log.signers.every(({ trusted }) => trusted === 'trusted'),
    attached: [...records, ...(granting ? claimedRecords(granting) : [])],
    closings: [...closings, ...(granting?.closings ?? [])],
    ...(eventId !== undefined && {
      decision: {
        service,
        eventId,
        isRejected: rejection !== null,
        hash,
        ...(outcome && { outcome: recordHash(outcome.record) }),
      },
    }),
    ...(granting?.decision && { grant: granting.decision }),
    ...(mandate && { mandateUse: { id: mandate.id, use: mandate.use } }),
  };
}
