import {
  parseVerifierKey,
  type TrustedServiceKey,
  type Verdict,
  verifyProof,
} from '../../../../proof-kit/index.ts';
import type { Json } from '../../graphql/graphql.ts';

export interface Checked {
  verdict: string;
  tone: 'good' | 'warn' | 'bad';
  words: string;
  steps: { title: string; verdict: 'pass' | 'fail' | 'absent'; explanation: string }[];
}

const words: Record<Verdict, [Checked['tone'], string]> = {
  proven: ['good', 'Genuine and unchanged: content, chain and signature agree.'],
  consistent: ['warn', 'It agrees with itself; no key that this service publishes vouches for it.'],
  partial: ['warn', 'Nothing in it is wrong, but not everything is here'],
  refuted: ['bad', 'This proof does not hold, do not rely on it'],
  unreadable: ['warn', 'This is no decision proof'],
};

/** The keys that this service publishes; none when they cannot be had just now. */
async function publishedKeys(): Promise<TrustedServiceKey[] | undefined> {
  try {
    const response = await fetch('/.well-known/countersign-keys.json');
    const { keys } = (await response.json()) as { keys: { vkey: string }[] };
    return keys.map(({ vkey }) => parseVerifierKey(vkey));
  } catch {
    return undefined;
  }
}

/** With the very code with which the service, its command and the public page verify. */
export async function checkProof(document: Json): Promise<Checked> {
  const keys = await publishedKeys();
  const { verdict, reason, steps } = await verifyProof(JSON.stringify(document), keys ? { keys } : {});
  const [tone, text] = words[verdict];
  return { verdict, tone, words: text.endsWith('.') ? text : `${text}: ${reason}.`, steps };
}
