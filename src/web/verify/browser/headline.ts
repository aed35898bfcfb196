import type { Assurance, ExportVerdict } from '../../../proof-kit/verify.ts';

export interface Headline {
  /** How the verdict looks: good, careful, bad. */
  state: 'good' | 'careful' | 'bad';
  title: string;
  text: string;
}

const HEADLINES: Record<Assurance, Headline> = {
  trusted: {
    state: 'good',
    title: 'Genuine and unchanged',
    text: 'Your browser computed the fingerprint anew, found the record in the signed log, and checked the signature of this service. Every word is as it was sealed.',
  },
  signed: {
    state: 'careful',
    title: 'Unchanged, signed with a key of another service',
    text: 'Content, fingerprint and signature fit together. The key that signed comes with the document: compare it with the one its service publishes.',
  },
  consistent: {
    state: 'careful',
    title: 'Unchanged, but not countersigned',
    text: 'Content and fingerprint fit together, but no signed summary of the log comes with them. Ask for a newer export.',
  },
  partial: {
    state: 'careful',
    title: 'Sealed, with private content',
    text: 'What the decision was based on is private and not in this copy, so the words you read here could not be compared with the seal. The full export, held by the organization, can be checked completely.',
  },
  none: {
    state: 'bad',
    title: 'Do not trust this document',
    text: 'At least one check failed. The document was changed after it was sealed, or it never was genuine.',
  },
};

const SEALED_PRIVATE: Headline = {
  state: 'good',
  title: 'The seal is genuine, the content is private',
  text: 'The record stands in the signed log of this service, and nobody can exchange it unnoticed. What the decision was based on is private and not in this copy, so your browser could not compare the words with the seal. The full export, held by the organization, proves every word.',
};

/** The verdict in one sentence that a layperson understands. */
export function headlineOf({ assurance, steps }: ExportVerdict, byService: boolean): Headline {
  const passed = (name: string) => steps.some(({ step, verdict }) => step === name && verdict === 'pass');
  const sealed = passed('link') && passed('inclusion') && passed('signature') && byService;
  return assurance === 'partial' && sealed ? SEALED_PRIVATE : HEADLINES[assurance];
}
