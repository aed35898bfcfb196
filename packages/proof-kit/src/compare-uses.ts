/** Compares what two proofs say about the uses of one mandate: they are numbered, linked, and their amounts add up. */

/** What a proof says about its use of a mandate. What an older record, or a copy that withholds it, does not say is null. */
export interface ClaimedUse {
  id: string;
  /** The decision that granted the mandate. Null in states that were written before uses were compared by it. */
  grant: string | null;
  use: number;
  /** The hash of its record, in document form. */
  hash: string | null;
  /** The bare hash of the record of the use before; empty for the first use. */
  previous: string | null;
  /** The total after it. */
  spent: number | null;
  /** What it deducts from the budget. */
  deducted: number | null;
}

const isSameMandate = (one: ClaimedUse, other: ClaimedUse): boolean =>
  one.grant === null || other.grant === null ? one.id === other.id : one.grant === other.grant;

/** Why two decisions of one service cannot both be uses, as a clause; null if they can. */
export function useContradiction(one: ClaimedUse, other: ClaimedUse): string | null {
  if (!isSameMandate(one, other)) return null;
  if (one.use === other.use) return `another use ${one.use} of the mandate ${one.id}`;
  const [earlier, later] = one.use < other.use ? [one, other] : [other, one];
  const uses = `uses ${earlier.use} and ${later.use} of the mandate ${one.id}`;
  if (!areLinked(earlier, later)) return `${uses} are not linked`;
  return addUp(earlier, later) ? null : `${uses} do not add up`;
}

/** A use names the one just before it, and no other does. */
function areLinked(earlier: ClaimedUse, later: ClaimedUse): boolean {
  if (later.previous === null) return true;
  if (later.previous === earlier.previous) return false;
  const isNamed = later.previous === earlier.hash?.replace(/^sha256:/, '');
  return earlier.hash === null || isNamed === (later.use === earlier.use + 1);
}

/** In the arithmetic of the service: doubles, added in the order of uses. */
function addUp(earlier: ClaimedUse, later: ClaimedUse): boolean {
  if (earlier.spent === null || later.spent === null) return true;
  const least = earlier.spent + (later.deducted ?? 0);
  const isExact = later.use === earlier.use + 1 && later.deducted !== null;
  return isExact ? later.spent === least : later.spent >= least;
}
