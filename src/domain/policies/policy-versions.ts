// The versions of policies, which stay on record.
import type { JsonValue } from '@countersign/proof-kit/canonical';
import type { PolicyGuards } from '@countersign/proof-kit/effective-policy';
import type { Prisma } from '../../db/database.ts';
import type { Policy as PolicyRow, PolicyVersion } from '../../db/generated/prisma/client.ts';
import type { Context } from '../context.ts';
import { authoredEntry, type JournalContent } from '../ledger/chains/journal.ts';
import { authorOf, principalName } from '../principal.ts';
import type { Work } from '../unit-of-work.ts';
import { groupsIn, policyChanges } from './changes.ts';
import type { Place } from './policy-place.ts';

/** By then, a statement that recorded a decision and read the policies before the change holds the head of the journal. */
const PLAN_AFTER_MS = 1_000;

/** Keeps a version that was just written, with its differences to the one before. */
export async function keepVersion(
  ctx: Context,
  work: Work,
  policy: PolicyRow,
  before: PolicyRow | null,
): Promise<void> {
  const { id, version, active, scope, centerId, name } = policy;
  await work.db.policyVersion.create({
    data: {
      policyId: id,
      version,
      name,
      actionPattern: policy.actionPattern,
      guards: policy.guards as Prisma.InputJsonObject,
      active,
      changedById: principalName(ctx.principal),
      createdAt: policy.updatedAt,
    },
  });
  const names = await groupNames(work.db, groupsIn([policy, ...(before ? [before] : [])]));
  const changed = policyChanges(before, policy, (group) => names.get(group));
  const detail = { change: 'policy', name, scope, version, active, changed, guards: policy.guards };
  work.audit({ type: 'center.updated', target: id, detail, centerId });
  work.journal(
    authoredEntry(centerId, id, { author: authorOf(ctx.principal), content: versionEntry(policy) }),
  );
  if (centerId !== null) {
    const runAt = new Date(ctx.now.getTime() + PLAN_AFTER_MS);
    work.enqueue('plan_escalations', { centerId }, { runAt, key: `plan_escalations:${centerId}` });
  }
}

/** A complete version of a policy, so that its rules cannot be disputed later. */
function versionEntry(
  policy: Pick<PolicyRow, 'id' | 'version' | 'name' | 'actionPattern' | 'guards' | 'active'> & Place,
): JournalContent {
  const { id, version, scope, country, region, name, actionPattern, guards, active } = policy;
  return {
    kind: 'policy',
    policyId: id,
    version,
    scope,
    ...(country !== null && { country }),
    ...(region !== null && { region }),
    name,
    actionPattern,
    guards: guards as JsonValue,
    active,
  };
}

/** Stores only guards that are set. Absent guards are left to wider policies. */
export function withoutUnset({ enforced, quorum, ...demands }: PolicyGuards): Prisma.InputJsonObject {
  const given = <T extends object>(members: T) =>
    Object.fromEntries(Object.entries(members).filter(([, value]) => value != null));
  return {
    ...given(demands),
    ...(quorum && { quorum: quorum.map(given) }),
    ...(enforced?.length && { enforced: [...new Set(enforced)].sort() }),
  };
}

/** What versions changed, by the version. All of them were already shown to the caller, so their groups can be named. */
export async function changesOf(
  { reads }: Context,
  versions: readonly PolicyVersion[],
): Promise<Map<PolicyVersion, string[]>> {
  const db = reads.acrossTenants;
  const key = ({ policyId, version }: { policyId: string; version: number }) => `${policyId} ${version}`;
  const known = new Map(versions.map((each) => [key(each), each]));
  const previous = versions
    .map(({ policyId, version }) => ({ policyId, version: version - 1 }))
    .filter((each) => each.version > 0 && !known.has(key(each)));
  if (previous.length > 0) {
    for (const each of await db.policyVersion.findMany({ where: { OR: previous } }))
      known.set(key(each), each);
  }
  const names = await groupNames(db, groupsIn([...known.values()]));
  return new Map(
    versions.map((each) => {
      const before = known.get(key({ ...each, version: each.version - 1 })) ?? null;
      return [each, policyChanges(before, each, (group) => names.get(group))];
    }),
  );
}

/** Groups that were deleted have no name. */
async function groupNames(
  db: Pick<Prisma.TransactionClient, 'approvalGroup'>,
  ids: string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.approvalGroup.findMany({
    where: { id: { in: ids } },
    select: { id: true, name: true },
  });
  return new Map(rows.map(({ id, name }) => [id, name]));
}
