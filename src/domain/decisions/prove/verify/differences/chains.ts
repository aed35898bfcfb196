import type { Queryable } from '../../../../../db/database.ts';
import type { ChainDomain } from '../../../../../db/generated/prisma/enums.ts';
import { chainDomains } from '../../../../ledger/chains/chains.ts';
import { type ChainState, readChainState } from '../../../../ledger/verify/chain-state.ts';

/** A chain of the center in the snapshot. */
interface ChainExtent {
  id: number;
  /** One more than the highest index of its records. */
  length: number;
}

/** The chains of a center; null for those that do not exist. */
export interface CenterChains {
  /** Null for the platform's own chains. */
  centerId: number | null;
  platform: ChainExtent | null;
  proof: ChainExtent | null;
  audit: ChainExtent | null;
  journal: ChainExtent | null;
}

/** Reads the extents of a center's chains, or of the given domains alone. */
export async function readChains(
  db: Queryable,
  centerId: number | null,
  domains: readonly ChainDomain[] = chainDomains,
): Promise<CenterChains> {
  const states: ChainState[] = [];
  for (const domain of domains) states.push(await readChainState(db, centerId, domain));
  const extent = (domain: string): ChainExtent | null => {
    const { chainId = null, highest = null } = states.find((state) => state.domain === domain) ?? {};
    return chainId === null ? null : { id: chainId, length: (highest ?? -1) + 1 };
  };
  return {
    centerId,
    platform: extent('platform'),
    proof: extent('proof'),
    audit: extent('audit'),
    journal: extent('journal'),
  };
}

/** Consecutive ranges of a chain. */
export function* chainRanges(
  extent: ChainExtent | null,
  size: number,
): Generator<[from: number, to: number]> {
  for (let from = 0; from < (extent?.length ?? 0); from += size) {
    yield [from, Math.min(from + size, extent!.length)];
  }
}
