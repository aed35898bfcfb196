import { deflateRawSync } from 'node:zlib';

/** What 32 random hexadecimal digits never come down to. */
const LEAST_BYTES = 24;

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
