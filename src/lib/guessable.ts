import { deflateRawSync } from 'node:zlib';

/** What 32 random hexadecimal digits never come down to. */
const LEAST_BYTES = 24;

const EXAMPLE =
  /change[-_ ]?(me|this)|example|placeholder|(your|my|a|the|jwt|super)[-_ ]secret|secret[-_ ](key|for)|demo-Passw0rd|^…+$/i;

/** Whether a secret was copied from a document instead of drawn. */
export const isExample = (secret: string): boolean => EXAMPLE.test(secret);

/** Whether a secret has hardly any entropy: repetitions and sequences, which a compressor makes short work of. */
export function isGuessable(secret: string): boolean {
  const bytes = Buffer.from(secret);
  // In the differences of neighbours a sequence such as 12345 is a repetition.
  const steps = bytes.map((byte, place) => byte - (bytes[place - 1] ?? 0));
  return Math.min(compressed(bytes), compressed(steps)) < LEAST_BYTES;
}

function compressed(bytes: Uint8Array): number {
  return deflateRawSync(bytes, { level: 9 }).length;
}
