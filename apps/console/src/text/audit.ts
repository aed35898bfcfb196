// The details of an audit entry in one line.
import { printable } from '@countersign/proof-kit/printable';
import {
  changesShown,
  factName,
  isMembers,
  type Json,
  listed,
  type Members,
  valueShown,
  type Wording,
} from './audit-changes.ts';
import { saysChange } from './audit-titles.ts';
import { sentenceCase } from './labels.ts';
import { type RoleNames, roleNames } from './roles.ts';
import { type Times, timesIn } from './time.ts';

const moves: Record<string, string> = {
  invite: 'Invited',
  resend: 'Invited again',
  accept: 'Accepted the invitation',
  approve: 'Approved',
  reject: 'Declined',
  suspend: 'Suspended',
  reinstate: 'Reactivated',
  end: 'Ended',
  sign_in: 'Joined by company sign-in',
  provision: 'Added by the directory',
  emergency_access: 'Emergency access changed',
  change_role: 'Role changed',
  ask_role: 'Role change requested',
  change_profile: 'Profile changed',
  appoint_platform_admin: 'Became a platform administrator',
  tie_guardian: 'Guardian added',
  untie_guardian: 'Guardian removed',
};

/** Ids and internal names, which are only in the details of an entry, and texts that the title or the subject repeats. */
const LEFT_OUT = new Set([
  'landing',
  'admin',
  'dpuId',
  'workflowId',
  'successor',
  'aiGenerated',
  'policy',
  'approval',
  'approvals',
  'chainHash',
  'chainIndex',
  'kind',
  'targetApp',
  'id',
  'guards',
  'fingerprint',
]);

/** Files have no zone of a screen: their times are in UTC, with the suffix. */
const utc = timesIn('UTC');
const inUtc = (moment: string) => `${utc.toTheMinute(moment)} UTC`;

const MOST_FACTS = 4;
const MOST_ITEMS = 5;

interface Entry {
  type: string;
  detail: Json;
  /** The present names of what the details name. */
  mentions?: readonly { id: string; name: string }[];
  /** Shown beside the summary, which then does not repeat its name. */
  subject?: { name: string } | null;
}

interface SummaryOptions {
  roles?: RoleNames;
  /** The times of the screen; without them the line says that it is UTC. */
  times?: Times;
  /** Everything, not only as much as fits in a row. */
  whole?: boolean;
}

/** What changed, in one line. Invisible characters are escaped, because the names are those of other people. */
export function auditSummary(
  entry: Entry,
  { roles = roleNames(), times, whole = false }: SummaryOptions = {},
): string {
  const { detail, mentions = [] } = entry;
  if (!isMembers(detail)) return '';
  const names = new Map(mentions.map(({ id, name }) => [id, name]));
  const wording: Wording = {
    roles,
    moment: times ? times.toTheMinute : inUtc,
    nameOf: (id) => names.get(id),
    most: whole ? Number.POSITIVE_INFINITY : MOST_ITEMS,
  };
  const parts = special(detail, entry, wording) ?? general(detail, entry, wording);
  const most = whole ? parts.length : MOST_FACTS;
  return printable(sentenceCase(parts.slice(0, most).join(', ')));
}

const repeats = ({ subject }: Entry, name: Json | undefined) => subject?.name === name;

function general(detail: Members, entry: Entry, wording: Wording): string[] {
  const { move, change, from, to, subscription, ...rest } = detail;
  const parts: string[] = [];
  if (typeof move === 'string') parts.push(moves[move] ?? factName(move));
  else if (isMembers(subscription))
    parts.push(...changesShown(subscription['from'], subscription['to'], wording));
  else {
    if (typeof change === 'string' && !saysChange(entry.type, detail)) parts.push(change);
    parts.push(...changesShown(from, to, wording));
  }
  for (const [fact, value] of Object.entries(rest)) {
    if (value === null || isMembers(value) || LEFT_OUT.has(fact)) continue;
    if (fact === 'name' && repeats(entry, value) && !('nameBefore' in detail)) continue;
    const shown = valueShown(value, wording);
    if (shown === undefined) continue;
    parts.push(fact === 'role' && move ? `as ${shown}` : `${factName(fact)}: ${shown}`);
  }
  return parts;
}

/** Entries whose details are best told in their own words. */
function special(detail: Members, entry: Entry, wording: Wording): string[] | null {
  const { change, name } = detail;
  const title = typeof name === 'string' && !repeats(entry, name) ? [name] : [];
  // The parts of a policy are whole sentences.
  if (change === 'policy') return [[...title, policyParts(detail).join(' ')].join(': ')];
  if (change === 'group members') return [...title, ...memberParts(detail, wording)];
  if (change === 'delegation given' || change === 'delegation ended') return delegationParts(detail, wording);
  if (change === 'decision approved' || change === 'decision rejected') return approvalParts(detail, wording);
  return null;
}

/** A version of a policy has a sentence for each difference to the one before. */
function policyParts({ changed, version }: Members): string[] {
  if (!Array.isArray(changed)) return [`version ${version}`];
  const sentences = changed.filter((each) => typeof each === 'string');
  return sentences.length > 0 ? [sentences.join(' ')] : [`version ${version}, without a difference`];
}

function memberParts({ added, removed, membershipIds }: Members, wording: Wording): string[] {
  const people = (ids: Json | undefined) => {
    if (!Array.isArray(ids) || ids.length === 0) return null;
    const shown = ids.map((id) => valueShown(id, wording) ?? 'a person without a name');
    return listed(shown, wording.most);
  };
  // Entries of earlier releases have only the resulting members.
  if (added === undefined) return [`members: ${people(membershipIds) ?? 'none'}`];
  const parts = [
    ...(people(added) ? [`added ${people(added)}`] : []),
    ...(people(removed) ? [`removed ${people(removed)}`] : []),
  ];
  return parts.length > 0 ? parts : ['the same members'];
}

function delegationParts({ delegator, delegate, from, until }: Members, wording: Wording): string[] {
  const person = (id: Json | undefined) => valueShown(id ?? null, wording) ?? 'a former member';
  const moment = (at: Json | undefined) => (typeof at === 'string' ? wording.moment(at) : '');
  return [`from ${person(delegator)} to ${person(delegate)}`, `${moment(from)} to ${moment(until)}`];
}

function approvalParts({ seats, onBehalfOf }: Members, wording: Wording): string[] {
  const seat = (each: Json) => {
    const group = isMembers(each) && each['group'];
    return group ? `for ${valueShown(group, wording) ?? 'a group that was deleted'}` : 'for any person';
  };
  const filled = Array.isArray(seats) ? [...new Set(seats.map(seat))] : [];
  const delegator = typeof onBehalfOf === 'string' && (valueShown(onBehalfOf, wording) ?? 'a former member');
  return [...filled, ...(delegator ? [`on behalf of ${delegator}`] : [])];
}
