import { parseVerifierKey, verifyProof } from '@countersign/proof-kit';
import type { Json } from '../../graphql/graphql.ts';

export interface Checked {
  verdict: string;
  tone: 'good' | 'warn' | 'bad';
  words: string;
  /** Why it is refuted, what is missing, or who signed. */
  reason: string;
  steps: { title: string; verdict: 'pass' | 'fail' | 'absent'; explanation: string }[];
}

const words = {
  proven: ['good', 'Proven: sealed as shown here and signed by this service.'],
  consistent: ['warn', 'Consistent, but not yet signed by a trusted key.'],
  partial: ['warn', 'Valid, but parts are withheld, erased or missing.'],
  refuted: ['bad', 'Refuted. Do not rely on it.'],
  unreadable: ['bad', 'This is not a readable proof.'],
} as const;

/** Uses the same code as the service, its command and the public page. */
export async function checkProof(
  document: Json,
  signingKeys: { vkey: string; vouched: boolean; until: string | null }[],
): Promise<Checked> {
  const keys = signingKeys.map(({ vkey, vouched, until }) => ({
    ...parseVerifierKey(vkey),
    isUnvouched: !vouched,
    ...(until !== null && { until }),
  }));
  const { verdict, reason, steps } = await verifyProof(JSON.stringify(document), { keys });
  const [tone, text] = words[verdict];
  // No witness is configured here, so none can have failed. That does not mean that one has checked.
  const shown = steps.map((step) =>
    step.step === 'witnesses'
      ? { ...step, verdict: 'absent' as const, title: 'No witnesses required' }
      : step,
  );
  return { verdict, tone, words: text, reason, steps: shown };
}
