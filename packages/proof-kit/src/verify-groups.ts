/** Whether the approvers belonged to the groups whose seats they filled, as the journal holds groups and delegations. */
import { chainOriginOf } from './checkpoint.ts';
import { requireCovered } from './considered.ts';
import { MAX_GROUP_MEMBERS } from './decision.ts';
import type { DisclosedDecision } from './disclose.ts';
import { type Accepted, digest, type Form, flag, id, listOf, objectOf, oneOf, text, time } from './form.ts';
import type { AttachedRecord, ProofDocument } from './proof-document.ts';
import { DisclosureSet, Refutation, readContent } from './sealed-content.ts';
import { findSeatPeople, type KnownDelegation, type KnownGroup, namedGroups } from './seat-people.ts';
import type { LogCheck } from './verify-log.ts';

const digests = listOf(digest, MAX_GROUP_MEMBERS);

/** Sorted, so that their order says nothing about the people. */
const members: Form<string[]> = (value, path) => {
  const found = digests(value, path);
  if (found !== null) return found;
  const list = value as string[];
  return list.every((each, i) => i === 0 || list[i - 1]! < each) ? null : `${path} is not sorted`;
};

const groupForm = objectOf({ kind: oneOf('group'), id, name: text, members, 'deleted?': flag });
const delegationForm = objectOf({
  kind: oneOf('delegation'),
  id,
  from: digest,
  to: digest,
  starts: time,
  until: time,
  /** When it was ended early. */
  'ended?': time,
});

/** The content of a record of a group, or null for one that an earlier version wrote, which names no people. */
export const groupContent = (value: unknown): Accepted<typeof groupForm> | null =>
  groupForm(value, '') === null ? (value as Accepted<typeof groupForm>) : null;
export const delegationContent = (value: unknown): Accepted<typeof delegationForm> | null =>
  delegationForm(value, '') === null ? (value as Accepted<typeof delegationForm>) : null;

/** The person behind a digest; undefined if not disclosed. */
function personOf(
  sealed: string,
  member: { path: 'groups.' | 'delegations.'; name: string },
  disclosures: DisclosureSet,
): string | undefined {
  const given = disclosures.take(sealed);
  if (!given) return undefined;
  if (given.name !== member.name)
    throw new Refutation(`${given.place} discloses ${member.path}${given.name}, which is unknown`);
  const found = id(given.value, member.path + member.name);
  if (found !== null) throw new Refutation(`${given.place}: ${found}`);
  return given.value as string;
}

interface Named<Known> {
  id: string;
  known: Known;
}

function readGroup({ record, disclosures }: AttachedRecord, place: string): Named<KnownGroup> {
  const content = readContent(record.content, `${place}.record.content`, 'group', groupForm);
  const set = new DisclosureSet(disclosures, `${place}.disclosures`);
  const shown = content.members.flatMap(
    (each) => personOf(each, { path: 'groups.', name: 'member' }, set) ?? [],
  );
  set.requireAllUsed();
  const isDeleted = content.deleted === true;
  const hasMore = !isDeleted && shown.length < content.members.length;
  return { id: content.id, known: { members: isDeleted ? [] : shown, hasMore } };
}

function readDelegation({ record, disclosures }: AttachedRecord, place: string): Named<KnownDelegation> {
  const content = readContent(record.content, `${place}.record.content`, 'delegation', delegationForm);
  const set = new DisclosureSet(disclosures, `${place}.disclosures`);
  const from = personOf(content.from, { path: 'delegations.', name: 'from' }, set);
  const to = personOf(content.to, { path: 'delegations.', name: 'to' }, set);
  set.requireAllUsed();
  return { id: content.id, known: { ...content, from, to } };
}

/** Throws a Refutation unless the attached records allow the approvals. Returns the paths that are withheld. */
export async function checkGroups(
  document: ProofDocument,
  { content, approvals, policy }: DisclosedDecision,
  { service, log }: { service: string; log: LogCheck },
): Promise<string[]> {
  const journal = chainOriginOf(service, content.center.id, 'journal');
  const { groups = [], delegations = [], record } = document;
  const readAll = async <Known>(
    list: 'groups' | 'delegations',
    attached: readonly AttachedRecord[],
    read: (each: AttachedRecord, place: string) => Named<Known>,
    isNamed: (id: string) => boolean,
  ): Promise<Map<string, Known>> => {
    const found = new Map<string, Known>();
    for (const [i, each] of attached.entries()) {
      const place = `${list}[${i}]`;
      const { id, known } = read(each, place);
      await log.attached(place, each, (origin) => origin === journal);
      requireCovered(each, place, policy.journals, journal);
      if (each.record.timestamp > record.timestamp)
        throw new Refutation(`${place} was recorded after the seal`);
      if (found.has(id)) throw new Refutation(`${place} is there twice`);
      if (!isNamed(id)) throw new Refutation(`${place} is named by no approval`);
      found.set(id, known);
    }
    return found;
  };
  const found = findSeatPeople(approvals, {
    groups: await readAll('groups', groups, readGroup, (id) =>
      approvals.some((approval) => namedGroups(approval).includes(id)),
    ),
    delegations: await readAll('delegations', delegations, readDelegation, (id) =>
      approvals.some(({ delegation }) => delegation?.id === id),
    ),
  });
  if (found.fault !== null) throw new Refutation(`approvals[${found.fault.place}] ${found.fault.words}`);
  for (const name of ['group', 'delegation'] as const) if (found.missing.has(name)) log.missing.push(name);
  return [...found.withheld].sort();
}
