import type { App } from '../../app.ts';
import { compareWithCheckpoints, type NamedChain } from '../checkpoints/compare.ts';

/**
 * The first index at which a chain that is unbroken in itself departs from what was signed about it; null where it
 * does not. A damaged tree is the operator's trouble: it can be computed anew, and the records are what they were.
 */
export async function departureFromSigned(app: App, chain: NamedChain): Promise<number | null> {
  const finding = await compareWithCheckpoints(app, chain);
  if (!finding) return null;
  app.log.error({ chainId: chain.chainId, finding }, 'a chain is not what was signed about it');
  return finding.kind === 'damaged_tree' ? null : finding.index;
}
