/**
 * What became of a decision: a record on the journal of its center. It names the decision, and the arguments that were approved
 * by the digest of their disclosure, which tells nothing once they are erased.
 */
import type { JsonValue } from './canonical.ts';
import { DisclosureSet, Refutation, readCanonical } from './disclose.ts';
import { disclosureDigest, makeDisclosure, type SealTools } from './disclosure.ts';
import { anyObject, isObject, like, listOf, objectOf, oneOf, text } from './form.ts';

const digest = like(/^[A-Za-z0-9_-]{43}$/, 'not a digest');

const outcomeForm = objectOf({
  kind: oneOf('outcome'),
  eventId: text,
  status: oneOf('executed', 'failed'),
  'arguments?': digest,
  '_sd?': listOf(digest, 1, 1),
  '_sd_alg?': oneOf('sha-256'),
});

export interface OutcomeContent {
  kind: 'outcome';
  eventId: string;
  status: 'executed' | 'failed';
  /** The digest of the disclosure of `action.input`; absent where the decision has none. */
  arguments?: string;
  /** The digest of the disclosure of `output`. */
  _sd?: [string];
  _sd_alg?: 'sha-256';
}

/** What goes on the journal, and the disclosure of the output where there is one. */
export function sealOutcome(
  outcome: {
    eventId: string;
    status: 'executed' | 'failed';
    /** The disclosure of `action.input`. */
    inputDisclosure?: string | undefined;
    output?: object | null | undefined;
  },
  tools: SealTools,
): { content: OutcomeContent; disclosure: string | undefined } {
  const { eventId, status, inputDisclosure, output } = outcome;
  const digestOf = tools.digest ?? disclosureDigest;
  const disclosure =
    output === undefined || output === null
      ? undefined
      : makeDisclosure(tools.salt('outcome.output'), 'output', output as JsonValue, tools.encode);
  const content: OutcomeContent = {
    kind: 'outcome',
    eventId,
    status,
    ...(inputDisclosure !== undefined && { arguments: digestOf(inputDisclosure) }),
    ...(disclosure !== undefined && { _sd: [digestOf(disclosure)], _sd_alg: 'sha-256' }),
  };
  return { content, disclosure };
}

export interface DisclosedOutcome {
  content: OutcomeContent;
  output: JsonValue | undefined;
  isOutputWithheld: boolean;
}

/** Throws a Refutation for anything that is not the record of an outcome with its disclosure. */
export function discloseOutcome(content: string, disclosed: readonly string[]): DisclosedOutcome {
  const value = readCanonical(content, 'outcome.record.content');
  const found = outcomeForm(value, '');
  if (found !== null) throw new Refutation(`outcome.record.content is no outcome: ${found.trim()}`);
  const sealed = value as unknown as OutcomeContent;
  const disclosures = new DisclosureSet(disclosed, 'outcome.disclosures');
  const given = sealed._sd && disclosures.take(sealed._sd[0]);
  disclosures.requireAllUsed();
  if (given && given.name !== 'output')
    throw new Refutation(`${given.place} discloses ${given.name}, which is unknown`);
  if (given && anyObject(given.value, '') !== null)
    throw new Refutation(`${given.place}: output is not an object`);
  return {
    content: sealed,
    output: given && isObject(given.value) ? given.value : undefined,
    isOutputWithheld: sealed._sd !== undefined && !given,
  };
}
