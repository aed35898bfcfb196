// The values in the details of audit entries, and what differs between two states.
import {
  membershipStates,
  sentenceCase,
  subscriptionStates,
  tenantLabels,
  verticalLabels,
} from './labels.ts';
import { levelLabels } from './policies.ts';
import type { RoleNames } from './roles.ts';

export type Json = null | boolean | number | string | Json[] | Members;
export type Members = { [member: string]: Json };

export const isMembers = (value: Json | undefined): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** How values are written for a reader. */
export interface Wording {
  /** The names that roles have in the center. */
  roles: RoleNames;
  moment: (moment: string) => string;
  /** The present names of people, groups and the like, by id. */
  nameOf: (id: string) => string | undefined;
  /** The most items of a list; the others are counted. */
  most: number;
}

/** Names of facts that are not clear from their member. */
const facts: Record<string, string> = {
  roleBefore: 'before',
  nameBefore: 'before',
  sealedFrom: 'on approvals from',
  planId: 'plan',
  tenantType: 'kind',
  centerDomain: 'address',
  customDomain: 'custom domain',
  keys: 'changed settings',
  fields: 'changed',
  clientId: 'client ID',
  txtName: 'DNS record',
  startsAt: 'starts',
  sso: 'single sign-on',
  rules: 'times a week',
  guardianId: 'guardian',
  childId: 'child',
  instructorId: 'with',
  endedDelegations: 'ended delegations',
  timezone: 'time zone',
  erasureNeedsTwo: 'two people to erase',
  erasureSwitchOffBy: 'one person to erase requested by',
  guardianBooking: 'guardians can book',
  partnerCountry: 'country of the partner',
  proof: 'public proof page',
  disclose: 'also shows',
};

/** A member such as `emailDomains` as "email domains". */
export const factName = (fact: string): string =>
  facts[fact] ??
  fact
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();

/** Ids, hashes and the like, which nobody can read. */
const OPAQUE =
  /^(?:[a-z]{2,4}_[0-9a-z]{20,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:sha256:)?[0-9a-f]{64})$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
/** Plans have ids such as `center-starter`. */
const PLAN = /^center-([a-z]+)$/;

const values: Record<string, string> = {
  DRAFT: levelLabels['DRAFT']!,
  DOCUMENTED: levelLabels['DOCUMENTED']!,
  AUDIT_READY: levelLabels['AUDIT_READY']!,
  'proof:read': 'read',
  'proof:write': 'read and write',
  'proof:request': 'ask only',
  ...tenantLabels,
  ...verticalLabels,
  ...words(subscriptionStates),
  ...words(membershipStates),
};

function words(states: Record<string, readonly [string, unknown]>): Record<string, string> {
  return Object.fromEntries(Object.entries(states).map(([value, [word]]) => [value, word]));
}

/** The first items, and how many more there are. */
export function listed(items: readonly string[], most: number): string {
  const more = items.length - most;
  return more > 0 ? `${items.slice(0, most).join(', ')} and ${more} more` : items.join(', ');
}

/** Things of a list, such as action types, by the member that distinguishes them. */
const labelOf = (value: Members): string | undefined => {
  const label = value['label'] ?? value['name'] ?? value['type'] ?? value['path'];
  return typeof label === 'string' ? label : undefined;
};

/** The value in words; undefined for ids without a name. */
export function valueShown(value: Json, wording: Wording): string | undefined {
  if (value === null || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return listShown(value, wording);
  if (isMembers(value)) return labelOf(value);
  const name = wording.nameOf(value);
  if (name !== undefined || OPAQUE.test(value)) return name;
  if (MOMENT.test(value)) return wording.moment(value);
  const plan = PLAN.exec(value)?.[1];
  return plan ? sentenceCase(plan) : (values[value] ?? wording.roles.one(value));
}

/** The items that have a name, and how many others there are. */
function listShown(list: readonly Json[], wording: Wording): string | undefined {
  if (list.length === 0) return 'none';
  const shown = list.flatMap((each) => valueShown(each, wording) ?? []);
  if (shown.length === 0) return undefined;
  const items = shown.slice(0, wording.most);
  const more = list.length - items.length;
  return `${items.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const isSame = (one: Json | undefined, other: Json | undefined) =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** What differs between two states, one text for each fact, in the order of the new one. */
export function changesShown(from: Json | undefined, to: Json | undefined, wording: Wording): string[] {
  if (to === undefined || isSame(from, to)) return [];
  if (!isMembers(to)) return [`now ${valueShown(to, wording) ?? 'changed'}`];
  const was = isMembers(from) ? from : {};
  return Object.entries(to).flatMap(([fact, value]) =>
    factChanges(factName(fact), was[fact], value, wording),
  );
}

function factChanges(name: string, was: Json | undefined, now: Json, wording: Wording): string[] {
  // Nothing, and a setting that was never made, are both null.
  const isNew = was === undefined || was === null;
  if (isSame(was, now)) return [];
  if (isMembers(now)) {
    const before = isMembers(was) ? was : {};
    return Object.entries(now).flatMap(([fact, value]) =>
      factChanges(`${name}, ${factName(fact)}`, before[fact], value, wording),
    );
  }
  if (Array.isArray(now)) return [`${name}: ${listChange(Array.isArray(was) ? was : [], now, wording)}`];
  const shown = valueShown(now, wording) ?? 'changed';
  return [`${name}: ${isNew ? '' : `${valueShown(was ?? null, wording) ?? 'changed'}, now `}${shown}`];
}

/** What a list gained and lost. Things with a label that are in both, but differ, have changed. */
function listChange(was: readonly Json[], now: readonly Json[], wording: Wording): string {
  const keyOf = (each: Json) => (isMembers(each) ? (labelOf(each) ?? JSON.stringify(each)) : String(each));
  const before = new Map(was.map((each) => [keyOf(each), each]));
  const after = new Map(now.map((each) => [keyOf(each), each]));
  const some = (verb: string, items: readonly Json[]) => {
    const shown = items.map((each) => valueShown(each, wording) ?? 'one without a name');
    return shown.length > 0 ? [`${verb} ${listed(shown, wording.most)}`] : [];
  };
  const changes = [
    ...some(
      'added',
      now.filter((each) => !before.has(keyOf(each))),
    ),
    ...some(
      'removed',
      was.filter((each) => !after.has(keyOf(each))),
    ),
    ...some(
      'changed',
      now.filter((each) => before.has(keyOf(each)) && !isSame(before.get(keyOf(each)), each)),
    ),
  ];
  return changes.length > 0 ? changes.join(', ') : 'in another order';
}
