/** Verifies proofs locally: no network, no trust in the sender. The service, its pages and its command use the same code. */

// Relative, so that the published types, one file for each module, find the types of the proof kit.
import { verifyProof as verifyText } from '../../proof-kit/src/verify-proof.ts';
import type { ProofVerdict } from '../../proof-kit/src/verify-steps.ts';
import { parseVerifierKey, parseWitnessKey } from '../../proof-kit/src/vkey.ts';

export { type Claims, compareProofs, type Named as NamedProof } from '../../proof-kit/src/compare-proofs.ts';
export type { Verdict } from '../../proof-kit/src/verdict.ts';
export type { ProofVerdict, Step, StepName } from '../../proof-kit/src/verify-steps.ts';

/** Your trust settings. Without keys a proof can be `consistent` at best, because it has no signature that you trust. */
export interface ProofTrust {
  /** Verifier keys of services, as `/.well-known/countersign-keys.json` publishes them. */
  keys?: readonly string[];
  /** Verifier keys of witnesses. */
  witnesses?: readonly string[];
  /** How many of the witnesses must have cosigned; all of them by default. */
  quorum?: number;
}

/**
 * The verdict on a proof, with its reason and every check. Pass the exact text if you have it: a parsed and re-serialized
 * document no longer shows faults of the text.
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
