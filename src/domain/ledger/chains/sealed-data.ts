import type { EventData } from '../../events/catalog.ts';

/** The payload of `dpu.sealed`, sent when a record becomes sealed. */
export function sealedData(
  dpuId: string,
  chainHash: string,
  domain: string,
  actorId: string,
): EventData<'dpu.sealed'> {
  return { dpuId, chainHash, domain, actorId };
}
