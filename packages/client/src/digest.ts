import { toHex, utf8 } from '@countersign/proof-kit/bytes';
import { canonicalJson } from '@countersign/proof-kit/canonical';

/** `sha256:` and the hex digest of the canonical JSON of an action's input: the `argumentsDigest` of a decision. */
export async function argumentsDigest(input: Record<string, unknown> = {}): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', utf8(canonicalJson(input)));
  return `sha256:${toHex(new Uint8Array(digest))}`;
}
