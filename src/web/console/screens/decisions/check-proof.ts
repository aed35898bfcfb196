import { verifyExport } from '../../../../proof-kit/index.ts';
import type { Json } from '../../graphql/graphql.ts';

export interface Checked {
  verdict: string;
  tone: 'good' | 'warn' | 'bad';
  words: string;
  steps: { title: string; verdict: 'pass' | 'fail' | 'absent'; explanation: string }[];
}

const words = {
  none: ['bad', 'This proof does not hold. Do not rely on it.'],
  partial: ['warn', 'The seal holds, but a part is withheld.'],
  consistent: ['warn', 'It agrees with itself; no signature vouches for it yet.'],
  signed: ['good', 'Genuine and unchanged: content, chain and signature agree.'],
  trusted: ['good', 'Genuine and unchanged: content, chain and signature agree.'],
} as const;

/** With the very code with which the service, its command and the public page verify. */
export async function checkProof(document: Json): Promise<Checked> {
  const { assurance, steps } = await verifyExport(document);
  const [tone, text] = words[assurance];
  return { verdict: assurance, tone, words: text, steps };
}
