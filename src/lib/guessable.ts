import { deflateRawSync } from 'node:zlib';

/** 32 random hexadecimal digits never compress below this. */
const LEAST_BYTES = 24;

const EXAMPLE =
  /change[-_ ]?(me|this)|example|placeholder|(your|my|a|the|jwt|super)[-_ ]secret|secret[-_ ](key|for)|demo-Passw0rd|^…+$/i;

/** Whether a secret was copied from the documentation instead of generated. */
export const isExample = (secret: string): boolean => EXAMPLE.test(secret);

/** Whether a secret has very little entropy, such as repetitions and sequences, which compress well. */
export function isGuessable(secret: string): boolean {
  const bytes = Buffer.from(secret);
  // In the differences between neighbors, a sequence such as 12345 is a repetition.
  const steps = bytes.map((byte, place) => byte - (bytes[place - 1] ?? 0));
  return Math.min(compressed(bytes), compressed(steps)) < LEAST_BYTES;
}

function compressed(bytes: Uint8Array): number {
  return deflateRawSync(bytes, { level: 9 }).length;
}
