import { canonicalJson } from '@countersign/proof-kit/canonical';

/** `sha256:` and the hex digest of the canonical JSON of an action's input: the `argumentsDigest` of a decision. */
export async function argumentsDigest(input: Record<string, unknown> = {}): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalJson(input as never));
  const digest = new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', bytes));
  return `sha256:${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
