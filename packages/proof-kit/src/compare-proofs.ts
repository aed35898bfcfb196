/**
 * Compares what several proofs say about the same log. A service that shows two people two histories is detected when they
 * compare: each of its signatures commits it to one of them.
 */
import { closedOrigin, declaresLost } from './log-closing.ts';
import type { Verdict } from './verdict.ts';
import type { DeclaredClosing } from './verify-closings.ts';
import type { SeenCheckpoint } from './verify-tree.ts';

/** A record and its place; hashes in document form. */
interface ClaimedRecord {
  origin: string;
  index: number;
  hash: string;
  previousHash: string | null;
  /** The number of the log whose head covers it; null if that is unknown. */
  log: number | null;
}

export interface DecisionClaim {
  service: string;
  eventId: string;
  isRejected: boolean;
  /** Of the record that seals or rejects it. A state of an earlier version does not know it. */
  hash?: string;
  outcome?: string;
}

/** Claims of a proof that another one could contradict. */
export interface Claims {
  /** The chain's origin; null if the proof does not state it. */
  origin: string | null;
  index: number;
  hash: string;
  previousHash: string | null;
  log: number | null;
  checkpoints: SeenCheckpoint[];
  /** Whether a trusted key signed it. */
  isTrusted: boolean;
  /** The additional records in the document. */
  attached?: ClaimedRecord[];
  /** The statements that closed earlier logs. */
  closings?: readonly DeclaredClosing[];
  decision?: DecisionClaim;
  /** The decision that granted the mandate. */
  grant?: DecisionClaim;
  mandateUse?: { id: string; use: number };
}

/** A proof, or the stored claims of earlier ones, with a name for people. */
export interface Named {
  name: string;
  claims: Claims;
}

/** All records that a proof claims, its own first. */
export function claimedRecords({
  origin,
  index,
  hash,
  previousHash,
  log,
  attached = [],
}: Claims): ClaimedRecord[] {
  return origin === null ? attached : [{ origin, index, hash, previousHash, log }, ...attached];
}

const placeOf = (origin: string, index: number): string => `${origin} ${index}`;

/** The first record that contradicts another one, as a clause. */
function recordContradiction(
  records: readonly ClaimedRecord[],
  others: readonly ClaimedRecord[],
): string | null {
  const hashes = new Map(others.map(({ origin, index, hash }) => [placeOf(origin, index), hash]));
  const followed = new Map(
    others.map(({ origin, index, previousHash }) => [placeOf(origin, index - 1), previousHash]),
  );
  for (const { origin, index, hash, previousHash } of records) {
    const here = placeOf(origin, index);
    const [same, next] = [hashes.get(here), followed.get(here)];
    if ((same !== undefined && same !== hash) || (next !== undefined && next !== hash))
      return `another record at place ${index} of ${origin}`;
    const before = hashes.get(placeOf(origin, index - 1));
    if (before !== undefined && before !== previousHash)
      return `another record at place ${index - 1} of ${origin}`;
  }
  return null;
}

function treeContradiction(
  checkpoints: readonly SeenCheckpoint[],
  others: readonly SeenCheckpoint[],
): string | null {
  const roots = new Map(others.map(({ origin, size, root }) => [placeOf(origin, size), root]));
  for (const { origin, size, root } of checkpoints) {
    const other = roots.get(placeOf(origin, size));
    if (other !== undefined && other !== root) return `another tree of ${origin} at size ${size}`;
  }
  return null;
}

/** Two statements of a service about the end of one log. */
function closingContradiction(
  closings: readonly DeclaredClosing[],
  others: readonly DeclaredClosing[],
): string | null {
  const digests = new Map(others.map((each) => [closedOrigin(each), each.digest]));
  for (const closing of closings) {
    const other = digests.get(closedOrigin(closing));
    if (other !== undefined && other !== closing.digest)
      return `another statement that closes ${closedOrigin(closing)}`;
  }
  return null;
}

/** A record that was signed in a log, and that the service declared lost when it closed that log or a later one. */
function lossContradiction(
  records: readonly ClaimedRecord[],
  closings: readonly DeclaredClosing[],
): string | null {
  for (const { origin, index, log } of records) {
    const loss = closings.find(
      (closing) => log !== null && log <= closing.log && declaresLost(closing, origin, index),
    );
    if (loss) return `record ${index} of ${origin} was declared lost at ${loss.at}`;
  }
  return null;
}

/** Whether one document contradicts itself. */
export function ownContradiction(claims: Claims): string | null {
  const records = claimedRecords(claims);
  return (
    treeContradiction(claims.checkpoints, claims.checkpoints) ??
    recordContradiction(records, [...records].reverse()) ??
    closingContradiction(claims.closings ?? [], claims.closings ?? []) ??
    lossContradiction(records, claims.closings ?? [])
  );
}

/** Why the second contradicts the first, as a clause; null if they agree. */
export function contradiction(one: Claims, other: Claims): string | null {
  return (
    recordContradiction(claimedRecords(one), claimedRecords(other)) ??
    treeContradiction(one.checkpoints, other.checkpoints) ??
    decisionContradiction(one, other) ??
    closingContradiction(one.closings ?? [], other.closings ?? []) ??
    lossContradiction(claimedRecords(one), other.closings ?? [])
  );
}

const decisionsOf = ({ decision, grant }: Claims): DecisionClaim[] =>
  [decision, grant].filter((each) => each !== undefined);

function decisionContradiction(one: Claims, other: Claims): string | null {
  const pairs = decisionsOf(one).flatMap((mine) =>
    decisionsOf(other).map((theirs) => [mine, theirs] as const),
  );
  const same = pairs.filter(([a, b]) => a.service === b.service && a.eventId === b.eventId);
  const differing = (name: 'isRejected' | 'hash' | 'outcome') =>
    same.find(([a, b]) => a[name] !== undefined && b[name] !== undefined && a[name] !== b[name])?.[0].eventId;
  const [reversed, resealed, reported] = [differing('isRejected'), differing('hash'), differing('outcome')];
  if (reversed !== undefined) return `the decision ${reversed} was both sealed and rejected`;
  if (resealed !== undefined) return `another record of the decision ${resealed}`;
  if (reported !== undefined) return `another outcome of the decision ${reported}`;
  const [{ decision, mandateUse: use }, { decision: otherDecision, mandateUse: otherUse }] = [one, other];
  if (decision?.service !== otherDecision?.service || decision?.eventId === otherDecision?.eventId)
    return null;
  const isSameUse = use && otherUse && use.id === otherUse.id && use.use === otherUse.use;
  return isSameUse ? `another use ${use.use} of the mandate ${use.id}` : null;
}

/**
 * The first of the others that contradicts a proof and has at least the same weight, with the clause. A claim signed by a
 * trusted key is not refuted by an unsigned one.
 */
function contradictedBy(own: Claims, others: readonly Named[]): { by: Named; reason: string } | null {
  for (const by of others) {
    if (own.isTrusted && !by.claims.isTrusted) continue;
    const found = contradiction(own, by.claims);
    if (found !== null) return { by, reason: `it contradicts ${by.name}: ${found}` };
  }
  return null;
}

/** Verdicts on several proofs, after comparing them with each other and with the stored claims. */
export function compareProofs<
  T extends { name: string; verdict: { verdict: Verdict; reason: string; claims: Claims | null } },
>(proofs: readonly T[], remembered: readonly Named[] = []): T[] {
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
