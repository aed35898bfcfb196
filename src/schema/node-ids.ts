import { DomainError } from '../lib/errors.ts';
import type { IdPrefix } from '../lib/ids.ts';

/** Prefixed ids are unique across all kinds, so they serve as Relay's global ids just as they are. */
const typenames: Partial<Record<IdPrefix, string>> = {
  apr: 'Approval',
  aud: 'AuditEntry',
  bkg: 'Booking',
  chk: 'Checkpoint',
  dpu: 'Dpu',
  evt: 'DecisionEvent',
  exe: 'WorkflowExecution',
  key: 'ApiKey',
  mbr: 'Membership',
  pay: 'Payment',
  pol: 'Policy',
  ptn: 'Partner',
  wf: 'Workflow',
  whk: 'Webhook',
};

export function encodeGlobalID(_typename: string, id: string | number | bigint): string {
  return String(id);
}

export function decodeGlobalID(id: string): { typename: string; id: string } {
  const typename = typenames[id.slice(0, id.indexOf('_')) as IdPrefix];
  if (!typename) throw new DomainError('NOT_FOUND', 'There is nothing with this id.');
  return { typename, id };
}
