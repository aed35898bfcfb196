/** Checks the outcome in a proof against the journal of the decision's center. */
import { defined, firstDifference } from './difference.ts';
import type { DisclosedDecision } from './disclose.ts';
import { disclosureDigest } from './disclosure.ts';
import { discloseOutcome } from './outcome.ts';
import type { ProofDocument, ProofOutcome } from './proof-document.ts';
import { Refutation } from './sealed-content.ts';

/** Throws a Refutation unless the outcome belongs to this decision and matches its record. Returns what is withheld. */
export function checkOutcome(
  outcome: ProofOutcome,
  decision: DisclosedDecision,
  document: ProofDocument,
): string[] {
  const { record, disclosures, inclusion } = outcome;
  const { content, by, output, withheld } = discloseOutcome(record.content, disclosures);
  const { status, recordedAt, by: shownBy, output: shown } = outcome;
  const found = firstDifference(
    defined({ status, recordedAt, output: shown, by: shownBy }),
    defined({ status: content.status, recordedAt: record.timestamp, output, by }),
    'outcome',
  );
  if (found !== null) throw new Refutation(found);
  if (content.eventId !== decision.event.id) throw new Refutation('outcome is that of another decision');
  if (!isOwnInput(content.arguments, decision))
    throw new Refutation('outcome is that of other arguments than were approved');
  if (record.timestamp < document.record.timestamp)
    throw new Refutation('outcome was recorded before the decision was sealed');
  if (inclusion && inclusion.leafIndex !== outcome.journalIndex)
    throw new Refutation('outcome.inclusion.leafIndex is not the place of the record');
  if ((record.previousHash === '') !== (outcome.journalIndex === 0))
    throw new Refutation('the first record of a chain, and no other, has no predecessor');
  return withheld;
}

/** The executed arguments must be the approved ones: the digest is that of the decision's own input. */
function isOwnInput(
  digest: string | undefined,
  { inputDisclosure, actionWithheld, withheld }: DisclosedDecision,
): boolean {
  if (inputDisclosure !== undefined) return digest === disclosureDigest(inputDisclosure);
  const isWithheld = digest !== undefined && actionWithheld.includes(digest);
  if (withheld.some(({ certain }) => certain.includes('action.input'))) return isWithheld;
  const mayBe = withheld.some(({ possible }) => possible.includes('action.input'));
  return digest === undefined || (mayBe && isWithheld);
}
