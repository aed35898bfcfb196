/**
 * The outcome of a decision: a record on the journal of its center. It refers to the decision, and to the approved arguments
 * by the digest of their disclosure, which reveals nothing once they are erased.
 */
import { type PlainAuthor, type SealedAuthor, sealAuthor } from './author.ts';
import type { JsonValue } from './canonical.ts';
import { authorForm, maybe } from './decision-form.ts';
import { disclosureDigest, makeDisclosure, type SealTools } from './disclosure.ts';
import { anyObject, digest, id, listOf, objectOf, oneOf } from './form.ts';
import { DisclosureSet, open, readContent } from './sealed-content.ts';

export const OUTCOME_STATUSES = ['executed', 'failed', 'unknown'] as const;
export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number];

const outcomeForm = objectOf({
  kind: oneOf('outcome'),
  eventId: id,
  status: oneOf(...OUTCOME_STATUSES),
  'arguments?': digest,
  'by?': authorForm,
  '_sd?': listOf(digest, 1, 1),
  '_sd_alg?': oneOf('sha-256'),
});

export interface OutcomeContent {
  kind: 'outcome';
  eventId: string;
  status: OutcomeStatus;
  /** The digest of the disclosure of `action.input`; absent if the decision has none. */
  arguments?: string;
  /** Who reported it; the id, if any, is always sealed. */
  by?: SealedAuthor;
  /** The digest of the disclosure of `output`. */
  _sd?: [string];
  _sd_alg?: 'sha-256';
}

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
  const disclosure =
    output === undefined || output === null
      ? undefined
      : makeDisclosure(tools.salt('outcome.output'), 'output', output as JsonValue, tools.encode);
  const author = by && sealAuthor(by, tools);
  const content: OutcomeContent = {
    kind: 'outcome',
    eventId,
    status,
    ...(inputDisclosure !== undefined && { arguments: digestOf(inputDisclosure) }),
    ...(author && { by: author.sealed, _sd_alg: 'sha-256' }),
    ...(disclosure !== undefined && { _sd: [digestOf(disclosure)], _sd_alg: 'sha-256' }),
  };
  return { content, disclosure, byDisclosure: author?.disclosure };
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
  const value = readContent(content, 'outcome.record.content', 'outcome', outcomeForm);
  const sealed = value as unknown as OutcomeContent;
  const disclosures = new DisclosureSet(disclosed, 'outcome.disclosures');
  const own = open(sealed, [maybe('output', anyObject)], 'outcome.', disclosures);
  const ofBy = open(sealed.by ?? {}, [maybe('id', id)], 'outcome.by.', disclosures);
  disclosures.requireAllUsed();
  return {
    content: sealed,
    by: sealed.by && { kind: sealed.by.kind, ...ofBy.shown },
    output: own.shown['output'],
    withheld: [...own.withheld.certain, ...ofBy.withheld.certain],
  };
}
