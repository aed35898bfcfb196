/**
 * What several proofs say about the same log, held against each other. A service that shows two people two histories is found out
 * when they compare: each of its signatures holds it to one of them.
 */
import type { Claims, ProofVerdict } from './verify-proof.ts';

/** A proof, or what is remembered of earlier ones, under the name by which people know it. */
export interface Named {
  name: string;
  claims: Claims;
}

/** Why the second cannot be true if the first is, as a clause; null where they agree. */
export function contradiction(one: Claims, other: Claims): string | null {
  if (one.origin !== null && one.origin === other.origin) {
    if (one.index === other.index && one.hash !== other.hash)
      return `another record at place ${one.index} of ${one.origin}`;
    const [earlier, later] = one.index < other.index ? [one, other] : [other, one];
    if (later.index === earlier.index + 1 && later.previousHash !== earlier.hash)
      return `another record at place ${earlier.index} of ${one.origin}`;
  }
  for (const { origin, size, root } of one.checkpoints) {
    const isOther = other.checkpoints.some(
      (seen) => seen.origin === origin && seen.size === size && seen.root !== root,
    );
    if (isOther) return `another tree of ${origin} at size ${size}`;
  }
  return null;
}

/**
 * The first of the others that contradicts a proof and weighs at least as much, with the clause. What a trusted key signed is not
 * refuted by what none did.
 */
export function contradictedBy(own: Claims, others: readonly Named[]): { by: Named; reason: string } | null {
  for (const by of others) {
    if (own.isTrusted && !by.claims.isTrusted) continue;
    const found = contradiction(own, by.claims);
    if (found !== null) return { by, reason: `it contradicts ${by.name}: ${found}` };
  }
  return null;
}

/** Verdicts on several proofs, after they were held against each other and against what is remembered. */
export function compareProofs<T extends { name: string; verdict: ProofVerdict }>(
  proofs: readonly T[],
  remembered: readonly Named[] = [],
): T[] {
  const named = proofs.map(({ name, verdict }) => verdict.claims && { name, claims: verdict.claims });
  return proofs.map((proof, i) => {
    const { claims } = proof.verdict;
    if (claims === null) return proof;
    const others = named.filter((each, j) => each !== null && j !== i) as Named[];
    const found = contradictedBy(claims, [...remembered, ...others]);
    if (found === null) return proof;
    return {
      ...proof,
      verdict: { ...proof.verdict, verdict: 'refuted', reason: found.reason, claims: null },
    };
  });
}
