/**
 * The outcome of a decision: a record on the journal of its center. It refers to the decision, and to the approved arguments
 * by the digest of their disclosure, which reveals nothing once they are erased.
 */
import { type PlainAuthor, sealAuthor } from './author.ts';
import type { JsonValue } from './canonical.ts';
import { OUTCOME, type OutcomeContent, type OutcomeStatus, outcomeForm } from './decision.ts';
import { disclosureDigest, type SealTools } from './disclosure.ts';
import { id, type Members } from './form.ts';
import { DisclosureSet, open, openTree, readContent } from './sealed-content.ts';

/** The journal entry, and the disclosures of the author's id and of the output if there is one. */
export function sealOutcome(
  outcome: {
    eventId: string;
    status: OutcomeStatus;
    by?: PlainAuthor | undefined;
    /** The disclosure of `action.input`. */
    inputDisclosure?: string | undefined;
    output?: object | null | undefined;
  },
  tools: SealTools,
): { content: OutcomeContent; disclosure: string | undefined; byDisclosure: string | undefined } {
  const { eventId, status, by, inputDisclosure, output } = outcome;
  const digestOf = tools.digest ?? disclosureDigest;
  const { sealed, disclosures } = OUTCOME.seal(
    {
      kind: 'outcome',
      eventId,
      status,
      ...(inputDisclosure !== undefined && { arguments: digestOf(inputDisclosure) }),
      ...(output && { output: output as Members }),
    },
    tools,
  );
  const author = by && sealAuthor(by, tools);
  return {
    content: {
      ...sealed,
      ...(author && { by: author.sealed }),
      ...((author || sealed._sd) && { _sd_alg: 'sha-256' as const }),
    },
    disclosure: disclosures['outcome.output'],
    byDisclosure: author?.disclosure,
  };
}

interface DisclosedOutcome {
  content: OutcomeContent;
  by: { kind: string; id?: string } | undefined;
  output: JsonValue | undefined;
  /** Those of `outcome.output` and `outcome.by.id` that are sealed and not disclosed. */
  withheld: string[];
}

/** Throws a Refutation for anything that is not an outcome's record with its disclosures. */
export function discloseOutcome(content: string, disclosed: readonly string[]): DisclosedOutcome {
  const sealed = readContent(content, 'outcome.record.content', 'outcome', outcomeForm);
  const disclosures = new DisclosureSet(disclosed, 'outcome.disclosures');
  const own = openTree(OUTCOME, sealed, disclosures);
  const idOf = { name: 'id', form: id, presence: 'maybe' } as const;
  const ofBy = open(sealed.by ?? {}, [idOf], 'outcome.by.', disclosures);
  disclosures.requireAllUsed();
  return {
    content: sealed,
    by: sealed.by && { kind: sealed.by.kind, ...ofBy.shown },
    output: own.shown.output as JsonValue | undefined,
    withheld: [...own.withheld, ofBy.withheld].flatMap(({ certain }) => certain),
  };
}
