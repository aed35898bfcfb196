import type { Queryable } from '../../../../../db/database.ts';
import type { ChainDomain } from '../../../../../db/generated/prisma/enums.ts';
import { chainDomains } from '../../../../ledger/chains/chains.ts';
import { readChainState } from '../../../../ledger/verify/chain-state.ts';

/** A chain of the center in the snapshot. */
interface ChainExtent {
  id: number;
  /** One more than the highest index of its records. */
  length: number;
}

/** The chains of a center; null for those that do not exist. */
export interface CenterChains extends Record<ChainDomain, ChainExtent | null> {
  /** Null for the platform's own chains. */
  centerId: number | null;
}

/** Reads the extents of a center's chains, or of the given domains alone. */
export async function readChains(
  db: Queryable,
  centerId: number | null,
  domains: readonly ChainDomain[] = chainDomains,
): Promise<CenterChains> {
  const chains: CenterChains = { centerId, platform: null, proof: null, audit: null, journal: null };
  for (const domain of domains) {
    const { chainId, highest } = await readChainState(db, centerId, domain);
    if (chainId !== null) chains[domain] = { id: chainId, length: (highest ?? -1) + 1 };
  }
  return chains;
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
