import { difference } from '../../lib/sets.ts';
import { invalidValue, ScimError } from './errors.ts';
import { type Change, isObject, memberOf } from './patch.ts';
import { optionalText } from './text-values.ts';

/** What a directory says of a group. Members are ids of users. */
export interface GroupDocument {
  displayName: string;
  externalId: string | null;
  members: ReadonlySet<string>;
}

const LONGEST_NAME = 128;
const LONGEST_ID = 64;

/**
 * The document after all changes. Members are added and removed one by one, because a directory sends them one by one and at the
 * same time: the caller applies the difference under a lock.
 */
export function changedGroup(before: GroupDocument, changes: readonly Change[]): GroupDocument {
  const group = changes.reduce(withChange, before);
  if (group.displayName === '') throw invalidValue('displayName', 'is required');
  return group;
}

function withChange(group: GroupDocument, change: Change): GroupDocument {
  const { attribute, where } = change.target;
  const value = change.op === 'remove' ? null : change.value;
  const isPlain = where === null && attribute.sub === null;
  switch (attribute.name) {
    case 'displayname':
      return isPlain
        ? { ...group, displayName: optionalText('displayName', value, LONGEST_NAME) ?? '' }
        : group;
    case 'externalid':
      return isPlain ? { ...group, externalId: optionalText('externalId', value) } : group;
    case 'members':
      return { ...group, members: changedMembers(group.members, change) };
    default:
      return group;
  }
}

function changedMembers(members: ReadonlySet<string>, change: Change): ReadonlySet<string> {
  const { op, target, value, named } = change;
  if (target.attribute.sub !== null) throw invalidMembers(named);
  if (target.where !== null) {
    const [only] = target.where;
    const names = only?.attribute;
    const isById = target.where.length === 1 && names?.name === 'value' && names.sub === null;
    if (op !== 'remove' || !isById || typeof only?.value !== 'string') throw invalidMembers(named);
    return difference(members, new Set([only.value]));
  }
  // Without a value the operation means all members; Entra ID sends those to remove as the value.
  if (op === 'remove' && (value === undefined || value === null)) return new Set();
  const ids = idsOf(value);
  if (op === 'remove') return difference(members, ids);
  return op === 'add' ? new Set([...members, ...ids]) : ids;
}

function idsOf(value: unknown): Set<string> {
  if (value === null || value === undefined) return new Set();
  const list = Array.isArray(value) ? value : [value];
  return new Set(
    list.map((each, at) => {
      const id = isObject(each) ? memberOf(each, 'value') : undefined;
      const text = typeof id === 'string' ? optionalText(`members[${at}].value`, id, LONGEST_ID) : null;
      if (text === null) throw invalidValue(`members[${at}].value`, 'must be the id of a user');
      return text;
    }),
  );
}

const invalidMembers = (named: string) =>
  new ScimError(400, `${named}: use members, or members[value eq "…"] to remove one`, 'invalidPath');
