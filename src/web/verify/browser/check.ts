import { fromBase64 } from '@countersign/proof-kit/bytes';
import { compareProofs, type Named } from '@countersign/proof-kit/compare-proofs';
import type { PublishedKey, Trust } from '@countersign/proof-kit/trust';
import { verifyProof, verifyProofBytes } from '@countersign/proof-kit/verify-proof';
import { failed, type ProofVerdict } from '@countersign/proof-kit/verify-steps';
import { type NoteKey, parseVerifierKey } from '@countersign/proof-kit/vkey';

/** The service that a document claims as its signer, not yet verified. */
function namedService(text: string): unknown {
  try {
    return (JSON.parse(text) as { publicKey?: { name?: unknown } } | null)?.publicKey?.name;
  } catch {
    return undefined;
  }
}

/** The key that the visitor trusts; null if none was entered. Throws if the text is not a verifier key. */
export function enteredKey(): NoteKey | null {
  const text = (document.getElementById('trusted-key') as HTMLInputElement | null)?.value.trim();
  return text ? parseVerifierKey(text) : null;
}

/**
 * A proof of this service must have this service's signature; a proof of another service is verified with the key it contains.
 * A key entered by the visitor replaces both.
 */
function trustFor(text: string, published: readonly PublishedKey[]): Trust {
  const entered = enteredKey();
  if (entered) return { keys: [entered] };
  const service = namedService(text);
  const keys = published.flatMap(({ name, publicKey, ...standing }) =>
    name === undefined ? [] : [{ name, publicKey: fromBase64(publicKey), ...standing }],
  );
  return keys.some(({ name }) => name === service) ? { keys } : {};
}

/** What the proofs seen on this page claim. */
const seen: Named[] = [];

/** A proof that contradicts one seen before on this page is refuted, like in one call of the command. */
function compared(name: string, verdict: ProofVerdict): ProofVerdict {
  const result = compareProofs([{ name, verdict }], seen)[0]!.verdict;
  if (result.claims) seen.push({ name, claims: result.claims });
  if (result.verdict === verdict.verdict) return result;
  return { ...result, steps: [...result.steps, failed('comparison', result.reason)] };
}

export async function check(text: string, published: readonly PublishedKey[]): Promise<ProofVerdict> {
  return compared('the proof of this page', await verifyProof(text, trustFor(text, published)));
}

/** The same for a file, whose bytes may not be valid UTF-8. */
export async function checkBytes(
  name: string,
  bytes: Uint8Array,
  published: readonly PublishedKey[],
): Promise<ProofVerdict> {
  const trust = trustFor(new TextDecoder().decode(bytes), published);
  return compared(name, await verifyProofBytes(bytes, trust));
}
