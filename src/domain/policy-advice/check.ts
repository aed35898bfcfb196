// What a policy would do that its author may not expect, before it is saved.

import { durationWords } from '@countersign/proof-kit/duration-words';
import { type DemandName, demandNames } from '@countersign/proof-kit/effective-policy';
import { quorumOf } from '@countersign/proof-kit/quorum';
import type { Context } from '../context.ts';
import type { PolicyDraftInput } from '../policies/policy-input.ts';
import { effectiveOf, type PolicyDraft, readDraft } from './draft.ts';
import { isEntitled, type Person, peopleIn } from './people.ts';
import { seatWarnings } from './seat-warnings.ts';
import { mandateWarnings } from './unused-mandates.ts';
import { hint, type PolicyWarning, warning } from './warning.ts';

/** The warnings about a policy that is being written. Throws what saving it would throw. */
export async function checkPolicy(ctx: Context, input: PolicyDraftInput): Promise<PolicyWarning[]> {
  const draft = await readDraft(ctx, input);
  // A policy for several centers depends on the people of each.
  const people = draft.policy.scope === 'CENTER' ? await peopleIn(ctx, [...draft.groupNames.keys()]) : null;
  return [
    ...(people ? [...seatWarnings(draft, people), ...escalationPeople(draft, people)] : []),
    ...escalationTime(draft),
    ...(await withoutEffect(ctx, draft)),
    ...(await mandateWarnings(ctx, draft)),
  ];
}

function escalationPeople({ policy, groupNames }: PolicyDraft, people: readonly Person[]): PolicyWarning[] {
  const quorum = quorumOf(policy.guards);
  if (!quorum?.escalation) return [];
  const { group } = quorum.escalation;
  const path = 'guards.escalateToGroup';
  const members = people.filter(({ groups }) => groups.includes(group));
  const name = groupNames.get(group)!;
  if (members.length === 0)
    return [warning(path, `${name} has no active member, so the escalation adds no approver.`)];
  const areEntitled = members.every((person) =>
    quorum.seats.every((seat) => isEntitled(seat, quorum, person)),
  );
  if (!areEntitled) return [];
  return [
    hint(path, `The escalation adds no approver: every member of ${name} can fill all seats from the start.`),
  ];
}

/** How long agents' requests wait for an approval: by default, and at most. */
const DEFAULT_EXPIRY = 86_400;
const LONGEST_EXPIRY = 604_800;

function escalationTime({ policy }: PolicyDraft): PolicyWarning[] {
  const { escalateAfterSeconds: seconds } = policy.guards;
  const path = 'guards.escalateAfterSeconds';
  if (seconds == null || seconds < DEFAULT_EXPIRY) return [];
  if (seconds >= LONGEST_EXPIRY) {
    const longest = durationWords(LONGEST_EXPIRY);
    return [warning(path, `Requests of agents expire after ${longest} at most, so they never escalate.`)];
  }
  const message = `Requests of agents expire after ${durationWords(DEFAULT_EXPIRY)} unless the agent asks for more time: most expire before the escalation.`;
  return [warning(path, message)];
}

/** Guards that another policy decides for these actions. */
async function withoutEffect(ctx: Context, draft: PolicyDraft): Promise<PolicyWarning[]> {
  const { policy, isLocal } = draft;
  if (!isLocal) return [];
  const effective = effectiveOf(draft);
  const deciding = (demandNames as readonly (DemandName | 'quorum')[])
    .concat('quorum')
    .filter((name) => policy.guards[name] != null)
    .map((name) => {
      const set = name === 'quorum' ? effective.quorums[0] : effective.guards[name];
      return { name, by: set?.policy.id };
    })
    .filter(({ by }) => by !== undefined && by !== policy.id);
  if (deciding.length === 0) return [];
  const rows = await ctx.reads.acrossTenants.policy.findMany({
    where: { id: { in: deciding.map(({ by }) => by!) } },
    select: { id: true, name: true },
  });
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return deciding.map(({ name, by }) =>
    warning(
      `guards.${name}`,
      `This value has no effect at present: the policy “${names.get(by!)}” decides it.`,
    ),
  );
}
