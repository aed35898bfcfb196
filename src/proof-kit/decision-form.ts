/**
 * The sealed content of a decision, member by member: which are in the open, and which can be disclosed. From this one table
 * contents are read, disclosures are given their place, and withheld members get their names.
 */
import {
  anyObject,
  base64Url,
  type Form,
  fraction,
  index,
  like,
  listOf,
  objectOf,
  oneOf,
  text,
  time,
} from './form.ts';
import { GUARDS } from './guards.ts';

export const EVENT_TYPES = [
  'agent_execution',
  'workflow_step',
  'human_approval',
  'ai_recommendation',
  'automated_action',
  'policy_decision',
  'escalation',
  'custom',
] as const;
export const ACTOR_TYPES = ['human', 'ai_agent', 'system', 'service'] as const;
export const APPROVER_TYPES = ['human', 'system'] as const;
export const BY_KINDS = ['api_key', 'session', 'passkey', 'system'] as const;

const MAX_APPROVALS = 100;
const MAX_TAGS = 1000;
const MAX_DIGESTS = 100;

/** Digests in ascending order, none twice: their order must not tell what they stand for. */
const digests: Form = (value, path) => {
  const found = listOf(like(/^[A-Za-z0-9_-]{43}$/, 'not a digest'), MAX_DIGESTS, 1)(value, path);
  if (found !== null) return found;
  const list = value as string[];
  for (let i = 1; i < list.length; i++) if (list[i - 1]! >= list[i]!) return `${path} is not sorted`;
  return null;
};

const withDigests = (members: Record<string, Form>): Form => objectOf({ ...members, '_sd?': digests });

export const signatureForm: Form = objectOf({
  type: oneOf('webauthn'),
  credentialId: base64Url,
  publicKey: base64Url,
  authenticatorData: base64Url,
  clientDataJSON: base64Url,
  signature: base64Url,
});

const guard: Form = objectOf({
  guard: oneOf(...GUARDS),
  verdict: oneOf('pass'),
  detail: text,
  'policy?': text,
  'version?': index,
});

/** Named as they stand in the content, whose root has no name. */
export const decisionForm: Form = objectOf({
  kind: oneOf('decision'),
  service: text,
  center: objectOf({ id: index, domain: text }),
  event: withDigests({
    id: text,
    type: oneOf(...EVENT_TYPES),
    actor: withDigests({ type: oneOf(...ACTOR_TYPES) }),
    action: withDigests({ type: text }),
    'aiContext?': withDigests({}),
    occurredAt: time,
  }),
  approvals: listOf(
    withDigests({
      id: text,
      approver: withDigests({ type: oneOf(...APPROVER_TYPES) }),
      result: oneOf('approved'),
      approvedAt: time,
      by: withDigests({ kind: oneOf(...BY_KINDS) }),
    }),
    MAX_APPROVALS,
    1,
  ),
  policy: objectOf({ id: text, version: index, guards: listOf(guard, GUARDS.length, GUARDS.length) }),
  _sd_alg: oneOf('sha-256'),
});

/** Whether an object must have the member, may have it, or cannot. */
export type Presence = 'always' | 'maybe' | 'never';

export interface Disclosable {
  name: string;
  form: Form;
  presence: Presence;
}

const always = (name: string, form: Form = text): Disclosable => ({ name, form, presence: 'always' });
const maybe = (name: string, form: Form = text): Disclosable => ({ name, form, presence: 'maybe' });

export const EVENT_MEMBERS: readonly Disclosable[] = [
  always('decisionId'),
  maybe('tags', listOf(text, MAX_TAGS)),
  maybe('riskScore', fraction),
];
export const ACTOR_MEMBERS: readonly Disclosable[] = [always('id'), maybe('name')];
export const ACTION_MEMBERS: readonly Disclosable[] = [
  maybe('description'),
  maybe('input', anyObject),
  maybe('output', anyObject),
];
export const AI_MEMBERS: readonly Disclosable[] = [
  maybe('model'),
  maybe('provider'),
  maybe('confidence', fraction),
  maybe('reasoning'),
];
export const APPROVER_MEMBERS = ACTOR_MEMBERS;

/** The system has no id. */
export function byMembers(kind: string): readonly Disclosable[] {
  return kind === 'system' ? [] : [always('id')];
}

/** A passkey signs, nothing else does. */
export function approvalMembers(kind: string): readonly Disclosable[] {
  return kind === 'passkey' ? [maybe('reason'), always('signature', signatureForm)] : [maybe('reason')];
}

/** Every path that can be shown, withheld or erased. */
export const DISCLOSABLE_PATHS: readonly string[] = [
  ...paths('', EVENT_MEMBERS),
  ...paths('actor.', ACTOR_MEMBERS),
  ...paths('action.', ACTION_MEMBERS),
  ...paths('aiContext.', AI_MEMBERS),
  ...paths('approvals.approver.', APPROVER_MEMBERS),
  ...paths('approvals.', approvalMembers('passkey')),
  ...paths('approvals.by.', byMembers('passkey')),
];

function paths(prefix: string, members: readonly Disclosable[]): string[] {
  return members.map(({ name }) => prefix + name);
}
