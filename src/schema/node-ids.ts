import { isRecordMissing } from '../db/faults.ts';
import { type AccessRule, everyRole } from '../domain/access.ts';
import { DomainError } from '../lib/errors.ts';
import type { IdPrefix } from '../lib/ids.ts';

interface Kind {
  typename: string;
  /** Who may look one up by id: exactly those who may read it in other ways. */
  access: AccessRule;
}

const staff: AccessRule = { roles: ['ADMIN', 'INSTRUCTOR'] };
const admin: AccessRule = { roles: ['ADMIN'] };
const everyMember: AccessRule = { roles: everyRole };
const withKeys = (rule: AccessRule): AccessRule => ({ ...rule, apiKey: 'proof:read' });

/** Prefixed ids are unique across all kinds, so they serve as Relay's global ids unchanged. */
const kinds: Partial<Record<IdPrefix, Kind>> = {
  apr: { typename: 'Approval', access: withKeys(admin) },
  aud: { typename: 'AuditEntry', access: admin },
  bkg: { typename: 'Booking', access: { ...everyMember, feature: 'booking' } },
  chk: { typename: 'Checkpoint', access: staff },
  dpu: { typename: 'Dpu', access: withKeys(staff) },
  evt: { typename: 'DecisionEvent', access: withKeys(admin) },
  exe: { typename: 'WorkflowExecution', access: { ...staff, feature: 'workflows' } },
  key: { typename: 'ApiKey', access: { ...admin, feature: 'proofApi' } },
  mbr: { typename: 'Membership', access: everyMember },
  pol: { typename: 'Policy', access: { ...admin, platformAdmin: true } },
  wf: { typename: 'Workflow', access: { ...staff, feature: 'workflows' } },
  whk: { typename: 'Webhook', access: { ...withKeys(admin), feature: 'webhooks' } },
};

function kindOf(id: string): Kind {
  const prefix = id.slice(0, id.indexOf('_')) as IdPrefix;
  // Own properties only: every object also has inherited names such as 'constructor'.
  const kind = Object.hasOwn(kinds, prefix) ? kinds[prefix] : undefined;
  if (!kind)
    throw new DomainError('NOT_FOUND', 'Not found: no kind of object has ids that begin like this one.');
  return kind;
}

export function encodeGlobalID(_typename: string, id: string | number | bigint): string {
  return String(id);
}

export function decodeGlobalID(id: string): { typename: string; id: string } {
  return { typename: kindOf(id).typename, id };
}

/** Who may look this id up. */
export function nodeAccess(id: string): AccessRule {
  return kindOf(id).access;
}

/** Missing objects are null, whether their loader returns null or throws. */
export async function nodeOrNull<T>(loaded: T): Promise<Awaited<T> | null> {
  try {
    return await loaded;
  } catch (error) {
    const absent = error instanceof DomainError ? /(^|_)NOT_FOUND$/.test(error.code) : isRecordMissing(error);
    if (absent) return null;
    throw error;
  }
}

/** Every type that can be looked up by its id. */
export const nodeTypenames: readonly string[] = Object.values(kinds).map(({ typename }) => typename);
