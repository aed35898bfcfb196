import type { ShownApproval, ShownEvent } from '@countersign/proof-kit/disclose';
import {
  isDecisionProofEvidence,
  isRejectionProofEvidence,
  type ProofDocument,
} from '@countersign/proof-kit/proof-document';
import type { Verdict } from '@countersign/proof-kit/verdict';
import type { Lacks, ProofVerdict } from '@countersign/proof-kit/verify-steps';
import { linesOf } from './undisclosed.ts';

interface Headline {
  /** The style of the verdict. `good` is only for proven documents; `neutral` for a seal that holds with members withheld. */
  state: 'good' | 'neutral' | 'careful' | 'bad';
  title: string;
  /** One paragraph each. */
  text: string[];
  /** What this copy does not show. */
  lists?: { title: string; lines: string[] }[];
}

const HEADLINES: Record<Exclude<Verdict, 'proven'>, Headline> = {
  consistent: {
    state: 'careful',
    title: 'Consistent',
    text: ['It agrees with itself, but no key that counts has signed it.'],
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
    text: ['This is not a decision proof of this format, so there is nothing to check.'],
  },
};

const sentence = (clause: string): string => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;

/** First what was checked, then what this copy does not show, and what therefore cannot be said. */
export function headlineOf(result: ProofVerdict, isOwnKey: boolean): Headline {
  const { verdict, reason, document, lacks } = result;
  if (document && verdict === 'proven') {
    return {
      state: 'good',
      title: isRejection(document) ? 'Proven: rejected' : 'Proven',
      text: [historyOf(document), checkedBy(isOwnKey), wordOfService(document)].filter((text) => text !== ''),
    };
  }
  if (document && verdict === 'partial' && !lacks.hasOthers) {
    return {
      state: 'neutral',
      title: isRejection(document) ? 'Rejected: the seal holds' : 'The seal holds',
      text: [historyOf(document), checkedBy(isOwnKey)],
      lists: gapsIn(lacks),
    };
  }
  const headline = HEADLINES[verdict === 'proven' ? 'consistent' : verdict];
  return { ...headline, text: [...headline.text, sentence(reason)] };
}

const gapsIn = ({ withheld, erased, unsaid }: Lacks): NonNullable<Headline['lists']> =>
  [
    { title: 'This copy does not show', lines: linesOf(withheld) },
    { title: 'Erased since, as the journal records', lines: linesOf(erased) },
    { title: 'Therefore it cannot be said', lines: [...unsaid] },
  ].filter(({ lines }) => lines.length > 0);

const isRejection = ({ evidence }: ProofDocument): boolean => isRejectionProofEvidence(evidence);

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

function historyOf({ evidence, record }: ProofDocument): string {
  const day = (time: string) => `${DAY.format(new Date(time))} (UTC)`;
  if (isRejectionProofEvidence(evidence)) {
    const rejection = evidence.approval as unknown as ShownApproval;
    return `Rejected by ${whoIn([rejection])} on ${day(record.timestamp)}. It was never approved.`;
  }
  if (!isDecisionProofEvidence(evidence)) return `Recorded on ${day(record.timestamp)} and unchanged since.`;
  const { occurredAt } = evidence.event as unknown as ShownEvent;
  const approvals = evidence.approvals as unknown as ShownApproval[];
  return `Recorded on ${day(occurredAt)}, approved by ${whoIn(approvals)}, sealed on ${day(record.timestamp)} and unchanged since.`;
}

const HOW: Record<string, string> = {
  passkey: 'with a passkey',
  session: 'signed in',
  api_key: 'as reported by a system',
};

/** Accounts, not people: who stands behind an account is not in the proof. */
function whoIn(approvals: readonly ShownApproval[]): string {
  const human = approvals.filter(({ approver }) => approver.type === 'human');
  const kinds = approvals.map(({ by }) => by.kind);
  if (human.length === 0) {
    if (kinds.includes('mandate')) return 'a mandate';
    return kinds.includes('api_key') ? 'a machine' : 'the service itself';
  }
  const hows = Object.keys(HOW).filter((kind) => human.some(({ by }) => by.kind === kind));
  const named = human.map(({ approver }) => approver.name ?? approver.id);
  const isNamed = human.length === 1 && named[0] !== undefined;
  const who = isNamed
    ? `“${named[0]}”`
    : human.length === 1
      ? 'one person'
      : `${human.length} accounts of people`;
  return `${who} (${hows.map((kind) => HOW[kind]).join(', ')})`;
}

const checkedBy = (isOwnKey: boolean): string =>
  `Your browser checked the seal, the place in the log and the signature, with ${
    isOwnKey
      ? 'the key that you entered.'
      : 'the key that this service publishes. To rely on the service less, enter a key that you have from elsewhere.'
  }`;

/** What a check of the document cannot show. */
function wordOfService({ evidence }: ProofDocument): string {
  if (!isDecisionProofEvidence(evidence)) return '';
  return 'Who stands behind an account, and that no other policy applied, is the word of the service.';
}
