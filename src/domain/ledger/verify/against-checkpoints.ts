import { compareWithCheckpoints, type NamedChain } from '../checkpoints/compare.ts';
import type { Finding } from '../checkpoints/finding.ts';
import type { LedgerSource } from './source.ts';

/**
 * How a chain that is unbroken in itself departs from what was signed about it; null where it does not. A damaged tree is the
 * operator's trouble: it can be computed anew, and the records are what they were.
 */
export async function departureFromSigned(source: LedgerSource, chain: NamedChain): Promise<Finding | null> {
  const finding = await compareWithCheckpoints(source, chain);
  return finding?.kind === 'damaged_tree' ? null : finding;
}
