import { type Assurance, type TrustedKey, verifyExportText } from '../../proof-kit/index.ts';
import type { Report } from './report.ts';

const CONCLUSIONS: Record<Assurance, string> = {
  none: 'NOT valid: something in this document is wrong.',
  partial: 'NOT verifiable: the content is withheld in this copy.',
  consistent:
    'Consistent: it agrees with itself, but nothing signed shows that the service keeps this record.',
  signed: 'Valid, and signed with the key that the document names. Compare that key: --key or --keys-from.',
  trusted: 'Valid, and signed with a key you trust.',
};

/** Whoever names keys wants a signature: leaving it out must not be a way around them. */
const UNSIGNED = 'NOT trusted: it agrees with itself, but carries no signature of a key you trust.';

export async function verifyExportFile(
  name: string,
  text: string,
  trustedKeys: TrustedKey[] | undefined,
): Promise<Report> {
  const { assurance, valid, steps } = await verifyExportText(text, trustedKeys ? { trustedKeys } : {});
  const unsigned = valid && trustedKeys !== undefined && assurance !== 'trusted';
  return {
    subject: name,
    ok: valid && !unsigned,
    steps: steps.map(({ verdict, title, explanation }) => ({ verdict, title, explanation })),
    conclusion: unsigned ? UNSIGNED : CONCLUSIONS[assurance],
  };
}
