/** Whether what a proof says became of its decision stands on the journal of the decision's center. */
import { fromHex } from './bytes.ts';
import { firstDifference } from './difference.ts';
import { type DisclosedDecision, Refutation } from './disclose.ts';
import { disclosureDigest } from './disclosure.ts';
import { discloseOutcome, type OutcomeContent } from './outcome.ts';
import type { ProofOutcome } from './proof-document.ts';
import { recordHash } from './record.ts';
import { checkIncluded, type KnownCheckpoint, readCheckpoint } from './verify-tree.ts';

export interface CheckedOutcome {
  isOutputWithheld: boolean;
  /** Of the journal, its signature not yet checked; null where there is none. */
  checkpoint: KnownCheckpoint | null;
}

/** Throws a Refutation unless the outcome is about this decision and its record says what is shown. */
export function checkOutcome(outcome: ProofOutcome, decision: DisclosedDecision): CheckedOutcome {
  const { record, disclosures, inclusion } = outcome;
  const { content, output, isOutputWithheld } = discloseOutcome(record.content, disclosures);
  const { status, recordedAt, output: shown } = outcome;
  const found = firstDifference(
    { status, recordedAt, ...(shown !== undefined && { output: shown }) },
    { status: content.status, recordedAt: record.timestamp, ...(output !== undefined && { output }) },
    'outcome',
  );
  if (found !== null) throw new Refutation(found);
  if (content.eventId !== decision.event.id) throw new Refutation('outcome is that of another decision');
  checkArguments(content, decision);
  if ((record.previousHash === '') !== (outcome.journalIndex === 0))
    throw new Refutation('the first record of a chain, and no other, has no predecessor');
  if (inclusion === undefined) return { isOutputWithheld, checkpoint: null };
  const checkpoint = readCheckpoint(inclusion.checkpoint, 'outcome.inclusion.checkpoint');
  const { service, center } = decision.content;
  if (checkpoint.origin !== `${service}/chains/${center.id}/journal`)
    throw new Refutation(`outcome.inclusion.checkpoint is about another chain: ${checkpoint.origin}`);
  if (inclusion.leafIndex !== outcome.journalIndex)
    throw new Refutation('outcome.inclusion.leafIndex is not the place of the record');
  checkIncluded(fromHex(recordHash(record)), inclusion, checkpoint, 'outcome.inclusion');
  return { isOutputWithheld, checkpoint };
}

/** What was carried out is what was approved: the digest is that of the decision's own input. */
function checkArguments(
  { arguments: digest }: OutcomeContent,
  { content, inputDisclosure }: DisclosedDecision,
): void {
  const sealed = content.event.action._sd ?? [];
  const isOwn =
    inputDisclosure !== undefined
      ? digest === disclosureDigest(inputDisclosure)
      : digest === undefined || sealed.includes(digest);
  if (!isOwn) throw new Refutation('outcome is that of other arguments than were approved');
}
