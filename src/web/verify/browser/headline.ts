import type { Verdict } from '@countersign/proof-kit/verdict';
import type { ProofVerdict } from '@countersign/proof-kit/verify-proof';

interface Headline {
  /** How the verdict looks: good, careful, bad. Good is for what is proven, and for nothing else. */
  state: 'good' | 'careful' | 'bad';
  title: string;
  text: string;
}

const HEADLINES: Record<Verdict, Headline> = {
  proven: {
    state: 'good',
    title: 'Proven',
    text: 'Your browser computed the fingerprint anew, found the record in the signed log, and checked the signature of this service. Every word is as it was sealed.',
  },
  consistent: {
    state: 'careful',
    title: 'Consistent',
    text: 'It agrees with itself, but it is signed with a key of another service, which comes with the document. Compare that key with the one its service publishes.',
  },
  partial: {
    state: 'careful',
    title: 'Partial',
    text: 'Nothing in it is wrong, but not everything is in this copy.',
  },
  refuted: {
    state: 'bad',
    title: 'Refuted',
    text: 'Do not rely on this document: it was changed, or it never was genuine.',
  },
  unreadable: {
    state: 'careful',
    title: 'Unreadable',
    text: 'This is no decision proof, so there is nothing to check.',
  },
};

const sentence = (clause: string): string => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;

/** The verdict in its own word and in a few that a layperson understands. */
export function headlineOf({ verdict, reason }: ProofVerdict): Headline {
  const headline = HEADLINES[verdict];
  const isTold = verdict === 'proven' || verdict === 'consistent';
  return isTold ? headline : { ...headline, text: `${headline.text} ${sentence(reason)}` };
}
