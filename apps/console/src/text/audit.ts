import {
  membershipStates,
  sentenceCase,
  subscriptionStates,
  tenantLabels,
  verticalLabels,
} from './labels.ts';
import { levelLabels } from './policies.ts';
import { type RoleNames, roleNames } from './roles.ts';
import { type Times, timesIn } from './time.ts';

const names: Record<string, string> = {
  'auth.signed_in': 'Signed in',
  'auth.session_revoked': 'Session ended',
  'center.created': 'Center created',
  'center.updated': 'Settings changed',
  'membership.moved': 'Membership changed',
  'partner.onboarded': 'Partner created',
  'partner.settings_changed': 'Partner settings changed',
  'dpu.level_raised': 'Record level raised',
  'decision.sealed': 'Decision sealed',
  'api_key.changed': 'Key or credential changed',
  'webhook.changed': 'Webhook changed',
  'workflow.executed': 'Workflow executed',
};

export const auditTypes = Object.keys(names);
export const auditLabel = (type: string) => names[type] ?? type;

/** Changes of a center with a separate title. */
const centerKinds: Record<string, string> = { booking: 'Booking changed', hours: 'Hours changed' };

export function auditTitle({ type, detail }: { type: string; detail: Json }): string {
  const kind = isMembers(detail) && typeof detail['kind'] === 'string' ? detail['kind'] : '';
  return (type === 'center.updated' && centerKinds[kind]) || auditLabel(type);
}

const moves: Record<string, string> = {
  invite: 'Invited',
  resend: 'Invited again',
  accept: 'Accepted the invitation',
  approve: 'Approved',
  reject: 'Declined',
  suspend: 'Suspended',
  reinstate: 'Reactivated',
  end: 'Ended',
  change_role: 'Role changed',
  ask_role: 'Role change requested',
  change_profile: 'Profile changed',
  appoint_platform_admin: 'Became a platform administrator',
  tie_guardian: 'Guardian added',
  untie_guardian: 'Guardian removed',
};

/** Names of facts that are not clear from their member. */
const facts: Record<string, string> = {
  roleBefore: 'before',
  nameBefore: 'before',
  sealedFrom: 'on approvals from',
  planId: 'plan',
  tenantType: 'kind',
  centerDomain: 'address',
  customDomain: 'custom domain',
  vertical: 'vertical',
  keys: 'changed settings',
  startsAt: 'starts',
  sso: 'single sign-on',
  rules: 'times a week',
};

/** Ids and internal names, which are only in the details of an entry. */
const LEFT_OUT = new Set([
  'landing',
  'admin',
  'dpuId',
  'workflowId',
  'successor',
  'aiGenerated',
  'guardianId',
  'childId',
  'policy',
  'approvals',
  'chainHash',
  'chainIndex',
  'instructorId',
  'startedBy',
  'kind',
  'targetApp',
]);

/** Ids, hashes and the like, which are collapsed. */
const OPAQUE =
  /^(?:[a-z]{2,4}_[0-9a-z]{20,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:sha256:)?[0-9a-f]{64})$/;
/** Files have no zone of a screen: their times are in UTC, with the suffix. */
const utc = timesIn('UTC');
const inUtc = (moment: string) => `${utc.toTheMinute(moment)} UTC`;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

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

type Json = null | boolean | number | string | Json[] | Members;
type Members = { [member: string]: Json };

const isMembers = (value: Json | undefined): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const nameOf = (fact: string) =>
  facts[fact] ??
  fact
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();

interface Wording {
  /** The names that roles have in the center. */
  roles: RoleNames;
  moment: (moment: string) => string;
}

function shownAs(value: Json, wording: Wording): string {
  if (value === null || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map((each) => shownAs(each, wording)).join(', ');
  if (isMembers(value)) return 'changed';
  if (typeof value === 'string' && MOMENT.test(value)) return wording.moment(value);
  return typeof value === 'string' ? (values[value] ?? wording.roles.one(value)) : String(value);
}

/** Plans have ids such as `center-starter`. */
const PLAN = /^center-([a-z]+)$/;

/** The value of a fact; of a plan, its name. */
function factShown(fact: string, value: Json, wording: Wording): string {
  const plan = fact === 'planId' && typeof value === 'string' ? PLAN.exec(value)?.[1] : undefined;
  return plan ? sentenceCase(plan) : shownAs(value, wording);
}

/** From one state to another, fact by fact. */
function changes(from: Json | undefined, to: Json | undefined, wording: Wording): string[] {
  if (!isMembers(to)) return from === to || to === undefined ? [] : [`now ${shownAs(to, wording)}`];
  const was = isMembers(from) ? from : {};
  return Object.entries(to).map(([fact, value]) =>
    isMembers(value) || isMembers(was[fact])
      ? `${nameOf(fact)} changed`
      : `${nameOf(fact)}: ${fact in was ? `${factShown(fact, was[fact]!, wording)}, now ` : ''}${factShown(fact, value, wording)}`,
  );
}

const MOST_FACTS = 4;

/** The facts of an entry in one line. A screen passes its times; without them the line says that it is UTC. */
export function auditSummary(
  detail: Json,
  { roles = roleNames(), times }: { roles?: RoleNames; times?: Times } = {},
) {
  if (!isMembers(detail)) return '';
  const wording: Wording = { roles, moment: times ? times.toTheMinute : inUtc };
  const { move, change, from, to, subscription, ...rest } = detail;
  const parts: string[] = [];
  if (typeof move === 'string') parts.push(moves[move] ?? nameOf(move));
  else if (isMembers(subscription))
    parts.push('subscription', ...changes(subscription['from'], subscription['to'], wording));
  else parts.push(...(typeof change === 'string' ? [change] : []), ...changes(from, to, wording));
  for (const [fact, value] of Object.entries(rest)) {
    if (value === null || isMembers(value) || LEFT_OUT.has(fact)) continue;
    if (typeof value === 'string' && OPAQUE.test(value)) continue;
    parts.push(
      fact === 'role' && move
        ? `as ${shownAs(value, wording)}`
        : `${nameOf(fact)}: ${factShown(fact, value, wording)}`,
    );
  }
  return sentenceCase(parts.slice(0, MOST_FACTS).join(', '));
}
