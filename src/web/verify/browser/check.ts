import { fromBase64 } from '../../../proof-kit/bytes.ts';
import type { TrustedKey } from '../../../proof-kit/trust.ts';
import { type ProofVerdict, verifyProof } from '../../../proof-kit/verify-proof.ts';

/** Which service a document says signed it, before anybody has checked that. */
function namedService(text: string): unknown {
  try {
    return (JSON.parse(text) as { publicKey?: { name?: unknown } } | null)?.publicKey?.name;
  } catch {
    return undefined;
  }
}

/** A proof of this service must bear this service's signature; one of another is judged by the key it brings along. */
export function check(text: string, published: readonly TrustedKey[]): Promise<ProofVerdict> {
  const service = namedService(text);
  const keys = published.flatMap(({ name, publicKey }) =>
    name === undefined ? [] : [{ name, publicKey: fromBase64(publicKey) }],
  );
  return verifyProof(text, keys.some(({ name }) => name === service) ? { keys } : {});
}
