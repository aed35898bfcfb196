import type { EventData } from '../events/catalogue.ts';

/** What subscribers are told of a record that is sealed from now on. */
export function sealedData(
  dpuId: string,
  chainHash: string,
  domain: string,
  actorId: string,
): EventData<'dpu.sealed'> {
  return { dpuId, chainHash, domain, actorId };
}
