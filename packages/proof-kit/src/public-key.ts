/** Which public keys a passkey may have. A weak key proves nothing: anyone could have made its signatures. */
import { toHex } from './bytes.ts';
import { keyKind, rsaModulus, toNumber } from './der.ts';
import { isSoundModulus } from './rsa-modulus.ts';

const ED25519_HEADER = 12;

/** Null for a valid key in SPKI form, otherwise a clause that describes the fault. */
export async function publicKeyFault(spki: Uint8Array): Promise<string | null> {
  const kind = keyKind(spki);
  if (kind === null) return 'the kind of key is not supported';
  if (kind === 'ed25519')
    return isOnCurve(spki.subarray(ED25519_HEADER)) ? null : 'the point is not on the curve Ed25519';
  if (kind === 'rsa' && !(await isSoundModulus(toNumber(rsaModulus(spki)))))
    return 'the modulus is prime or has a small factor';
  return null;
}

const PRIME = 2n ** 255n - 19n;
const D = 0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3n;

function power(base: bigint, exponent: bigint): bigint {
  let [result, square] = [1n, base % PRIME];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % PRIME;
    square = (square * square) % PRIME;
  }
  return result;
}

function isOnCurve(key: Uint8Array): boolean {
  const y = BigInt(`0x${toHex(key.toReversed())}`) & ((1n << 255n) - 1n);
  const y2 = (y * y) % PRIME;
  const x2 = ((y2 + PRIME - 1n) * power((D * y2 + 1n) % PRIME, PRIME - 2n)) % PRIME;
  return power(x2, (PRIME - 1n) / 2n) === 1n;
}
