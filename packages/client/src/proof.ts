/**
 * Proofs, checked where you are: no network, no trust in the sender. The same code as in the service, its
 * pages and its command.
 */

import { type ProofVerdict, verifyProof as verifyText } from '@countersign/proof-kit/verify-proof';
import { parseVerifierKey, parseWitnessKey } from '@countersign/proof-kit/vkey';

export { compareProofs, type Named as NamedProof } from '@countersign/proof-kit/compare-proofs';
export type { Verdict } from '@countersign/proof-kit/verdict';
export type { Claims, ProofVerdict, Step, StepName } from '@countersign/proof-kit/verify-proof';

/** Whom you trust. Without keys a proof can be `consistent` at best: it has no signature that you trust. */
export interface ProofTrust {
  /** Verifier keys of services, as `/.well-known/countersign-keys.json` publishes them. */
  keys?: readonly string[];
  /** Verifier keys of witnesses. */
  witnesses?: readonly string[];
  /** How many of the witnesses must have cosigned; all of them when left out. */
  quorum?: number;
}

/**
 * The verdict on a proof, with its reason and every step that led to it. Give the exact text where you have it: a
 * document that was parsed and written again has lost what was wrong with its text.
 */
export function verifyProof(document: string | object, trust: ProofTrust = {}): Promise<ProofVerdict> {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  return verifyText(text, {
    ...(trust.keys && { keys: trust.keys.map(parseVerifierKey) }),
    ...(trust.witnesses && { witnesses: trust.witnesses.map(parseWitnessKey) }),
    ...(trust.quorum !== undefined && { quorum: trust.quorum }),
  });
}

export { parseVerifierKey, parseWitnessKey };
