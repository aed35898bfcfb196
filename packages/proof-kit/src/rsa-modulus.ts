/**
 * Which RSA moduli a passkey may have. Anyone can sign for a key whose modulus is prime or has a small factor, because its
 * private key follows from the factors.
 */

const SMALL_FACTORS_BELOW = 65_536;
/** The first 40 primes. */
const BASES = primesBelow(174);

/** Moduli that were checked recently: a person approves many times with one key. */
const checked = new Map<bigint, Promise<boolean>>();
const MAX_CHECKED = 1_000;

/** Whether a modulus is composite without a factor below 65,536. It is odd and greater than 2^64. */
export function isSoundModulus(modulus: bigint): Promise<boolean> {
  const known = checked.get(modulus);
  if (known) return known;
  if (checked.size >= MAX_CHECKED) checked.delete(checked.keys().next().value!);
  const isSound = check(modulus);
  checked.set(modulus, isSound);
  return isSound;
}

async function check(modulus: bigint): Promise<boolean> {
  if (hasSmallFactor(modulus)) return false;
  // The first base exposes nearly every composite number, so only primes need all bases.
  for (const base of BASES) if (!(await passesMillerRabin(modulus, BigInt(base)))) return true;
  return false;
}

function primesBelow(limit: number): number[] {
  const isComposite = new Uint8Array(limit);
  const primes: number[] = [];
  for (let candidate = 2; candidate < limit; candidate++) {
    if (isComposite[candidate]) continue;
    primes.push(candidate);
    for (let multiple = candidate * candidate; multiple < limit; multiple += candidate)
      isComposite[multiple] = 1;
  }
  return primes;
}

let smallPrimesProduct: bigint | null = null;

function hasSmallFactor(modulus: bigint): boolean {
  smallPrimesProduct ??= primesBelow(SMALL_FACTORS_BELOW).reduce((product, p) => product * BigInt(p), 1n);
  let [a, b] = [modulus, smallPrimesProduct % modulus];
  while (b > 0n) [a, b] = [b, a % b];
  return a > 1n;
}

async function passesMillerRabin(modulus: bigint, base: bigint): Promise<boolean> {
  const last = modulus - 1n;
  let odd = last;
  let halvings = 0;
  for (; (odd & 1n) === 0n; odd >>= 1n) halvings++;
  let power = await modularPower(base, odd, modulus);
  if (power === 1n || power === last) return true;
  for (let i = 1; i < halvings; i++) {
    power = (power * power) % modulus;
    if (power === last) return true;
  }
  return false;
}

/** A power with 8192 bits takes most of a second, so other work runs in between. */
const BITS_WITHOUT_PAUSE = 256;

async function modularPower(base: bigint, exponent: bigint, modulus: bigint): Promise<bigint> {
  let result = 1n;
  for (const [i, bit] of [...exponent.toString(2)].entries()) {
    if (i % BITS_WITHOUT_PAUSE === BITS_WITHOUT_PAUSE - 1) await new Promise((run) => setTimeout(run, 0));
    result = (result * result) % modulus;
    if (bit === '1') result = (result * base) % modulus;
  }
  return result;
}
