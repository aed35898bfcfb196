import type { ShownApproval, ShownEvent } from '@countersign/proof-kit/disclose';
import { isDecisionProofEvidence, type ProofDocument } from '@countersign/proof-kit/proof-document';
import type { Verdict } from '@countersign/proof-kit/verdict';
import type { ProofVerdict } from '@countersign/proof-kit/verify-steps';
import { gapsOf } from './undisclosed.ts';

interface Headline {
  /** The style of the verdict: good, careful, bad. Good is only for genuine proofs. */
  state: 'good' | 'careful' | 'bad';
  title: string;
  /** One paragraph each. */
  text: string[];
  /** What is missing from a genuine proof. */
  lists?: { title: string; lines: string[] }[];
}

const HEADLINES: Record<Exclude<Verdict, 'proven'>, Headline> = {
  consistent: {
    state: 'careful',
    title: 'Consistent',
    text: [
      'It agrees with itself, but no key that you trust has signed it. Compare the key that comes with the document with the one that its service publishes, or enter a key you trust.',
    ],
  },
  partial: {
    state: 'careful',
    title: 'Incomplete',
    text: ['Nothing in it is wrong, but this copy lacks something that a full check needs.'],
  },
  refuted: {
    state: 'bad',
    title: 'Refuted',
    text: ['Do not rely on this document: it was changed, or it never was genuine.'],
  },
  unreadable: {
    state: 'careful',
    title: 'Unreadable',
    text: ['This is not a decision proof, so there is nothing to check.'],
  },
};

const sentence = (clause: string): string => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;

/** First what is proven, then what the organization does not disclose. */
export function headlineOf({ verdict, reason, claims, document, steps }: ProofVerdict): Headline {
  const gaps = gapsOf(reason);
  const holds = claims?.isTrusted === true && !steps.some((step) => step.verdict === 'fail');
  const isGenuine = verdict === 'proven' || (verdict === 'partial' && holds && !gaps.hasOthers);
  if (document && isGenuine) {
    return {
      state: 'good',
      title: 'Genuine',
      text: [
        `${historyOf(document)} Your browser checked the signature and the place in the log.`,
        ...(verdict === 'proven' ? ['Nothing is withheld.'] : []),
      ],
      lists: [
        { title: 'The organization does not disclose', lines: gaps.withheld },
        { title: 'Erased since, as the log records', lines: gaps.erased },
      ].filter(({ lines }) => lines.length > 0),
    };
  }
  const headline = HEADLINES[verdict === 'proven' ? 'consistent' : verdict];
  return verdict === 'consistent' ? headline : { ...headline, text: [...headline.text, sentence(reason)] };
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

function historyOf({ evidence, record }: ProofDocument): string {
  if (!isDecisionProofEvidence(evidence)) {
    return `Recorded on ${DAY.format(new Date(record.timestamp))} (UTC) and unchanged since.`;
  }
  const { occurredAt } = evidence.event as unknown as ShownEvent;
  const approvals = (evidence.approvals ?? []) as unknown as ShownApproval[];
  const rejection = approvals.find(({ result }) => result === 'rejected');
  const what = rejection ? `rejected by ${peopleOf([rejection])}` : `approved by ${peopleOf(approvals)}`;
  return `Recorded on ${DAY.format(new Date(occurredAt))} (UTC), ${what}, unchanged since.`;
}

/** Who approved or rejected. A person named only by an API key is known only through that system. */
function peopleOf(approvals: readonly ShownApproval[]): string {
  const people = approvals.filter(({ approver }) => approver.type === 'human');
  if (people.length === 0) return 'the service, as the policy allows';
  const who = people.length > 1 ? `${people.length} people` : 'a person';
  return people.every(({ by }) => by.kind === 'api_key') ? `${who} as reported by a system` : who;
}
