import type { ShownApproval, ShownEvent } from '@countersign/proof-kit/disclose';
import { isDecisionProofEvidence, type ProofDocument } from '@countersign/proof-kit/proof-document';
import type { Verdict } from '@countersign/proof-kit/verdict';
import type { ProofVerdict } from '@countersign/proof-kit/verify-proof';
import { gapsOf, listed } from './undisclosed.ts';

interface Headline {
  /** How the verdict looks: good, careful, bad. Good is for what is genuine, and for nothing else. */
  state: 'good' | 'careful' | 'bad';
  title: string;
  /** One paragraph each. */
  text: string[];
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
        ...(gaps.withheld.length > 0 ? [`The organization does not disclose ${listed(gaps.withheld)}.`] : []),
        ...(gaps.erased.length > 0 ? [`Erased since, as the log records: ${listed(gaps.erased)}.`] : []),
      ],
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
  const people = approvals.filter(({ approver }) => approver.type === 'human').length;
  const rejected = approvals.some(({ result }) => result === 'rejected');
  const by =
    people > 1 ? `${people} people` : people === 1 ? 'a person' : 'the service, as the policy allows';
  const what = rejected ? `rejected by ${people > 0 ? by : 'the service'}` : `approved by ${by}`;
  return `Recorded on ${DAY.format(new Date(occurredAt))} (UTC), ${what}, unchanged since.`;
}
