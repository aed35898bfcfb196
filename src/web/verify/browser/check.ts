import { type ExportVerdict, verifyExport } from '../../../proof-kit/verify.ts';
import type { TrustedKey } from '../../../proof-kit/verify-steps.ts';

export interface Checked {
  verdict: ExportVerdict;
  /** Whether the key that the document names is one that this service publishes. */
  byService: boolean;
}

/** A proof of this service must bear this service's signature; one of another is judged by the key it brings along. */
export async function check(document: unknown, trustedKeys: TrustedKey[]): Promise<Checked> {
  const named = (document as { publicKey?: { publicKey?: unknown } } | null)?.publicKey?.publicKey;
  const byService = trustedKeys.some(({ publicKey }) => publicKey === named);
  return { byService, verdict: await verifyExport(document, byService ? { trustedKeys } : {}) };
}
