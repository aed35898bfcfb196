/**
 * The sealed content of a decision, member by member: which members are in plain text and which can be disclosed. This table
 * drives reading contents, placing disclosures and naming withheld members.
 */
import {
  amount,
  anyObject,
  bareHash,
  base64Url,
  digest,
  type Form,
  fraction,
  id,
  index,
  listOf,
  objectOf,
  oneOf,
  positive,
  service,
  text,
  time,
} from './form.ts';
import { GUARDS } from './guards.ts';

const EVENT_TYPES = [
  'agent_execution',
  'workflow_step',
  'human_approval',
  'ai_recommendation',
  'automated_action',
  'policy_decision',
  'escalation',
  'custom',
] as const;
const ACTOR_TYPES = ['human', 'ai_agent', 'system', 'service'] as const;
const APPROVER_TYPES = ['human', 'system'] as const;
export const BY_KINDS = ['api_key', 'session', 'passkey', 'system', 'mandate'] as const;

const MAX_APPROVALS = 100;
const MAX_TAGS = 1000;
const MAX_DIGESTS = 100;
/** Seats of one approval: at most one per policy scope. */
const MAX_ALSO_SEATS = 3;

/** Digests in ascending order without duplicates: their order must not reveal what they represent. */
const digests: Form = (value, path) => {
  const found = listOf(digest, MAX_DIGESTS, 1)(value, path);
  if (found !== null) return found;
  const list = value as string[];
  for (let i = 1; i < list.length; i++) if (list[i - 1]! >= list[i]!) return `${path} is not sorted`;
  return null;
};

const withDigests = (members: Record<string, Form>): Form => objectOf({ ...members, '_sd?': digests });

const MAX_SIGNATURE_PART = 4096;
const signaturePart: Form = (value, path) =>
  typeof value === 'string' && value.length > MAX_SIGNATURE_PART
    ? `${path} is longer than ${MAX_SIGNATURE_PART} characters`
    : base64Url(value, path);

export const signatureForm: Form = objectOf({
  type: oneOf('webauthn'),
  credentialId: signaturePart,
  publicKey: signaturePart,
  authenticatorData: signaturePart,
  clientDataJSON: signaturePart,
  signature: signaturePart,
});

const guard: Form = objectOf({
  guard: oneOf(...GUARDS),
  verdict: oneOf('pass'),
  detail: text,
  'policy?': id,
  'version?': index,
});

const seat: Form = objectOf({ index, 'group?': id });

const event: Form = withDigests({
  id,
  type: oneOf(...EVENT_TYPES),
  actor: withDigests({ type: oneOf(...ACTOR_TYPES) }),
  action: withDigests({ type: text }),
  'aiContext?': withDigests({}),
  occurredAt: time,
});

const approval = (result: 'approved' | 'rejected'): Form =>
  withDigests({
    id,
    approver: withDigests({ type: oneOf(...APPROVER_TYPES) }),
    result: oneOf(result),
    approvedAt: time,
    by: withDigests({ kind: oneOf(...BY_KINDS) }),
    'seat?': seat,
    'alsoSeats?': listOf(seat, MAX_ALSO_SEATS, 1),
    'delegation?': objectOf({ id }),
    'escalation?': objectOf({ group: id }),
  });

/** Named by their path in the content, whose root has no name. */
export const decisionForm: Form = objectOf({
  kind: oneOf('decision'),
  service,
  center: objectOf({ id: index, domain: text }),
  event,
  approvals: listOf(approval('approved'), MAX_APPROVALS, 1),
  policy: objectOf({ id, version: index, guards: listOf(guard, GUARDS.length, GUARDS.length) }),
  'mandate?': objectOf({ id, eventId: id, use: positive, 'spent?': amount }),
  _sd_alg: oneOf('sha-256'),
});

/** The author of a journal entry; its id is sealed. */
export const authorForm: Form = objectOf({ kind: oneOf(...BY_KINDS), '_sd?': listOf(digest, 1, 1) });

/** The journal's record of a decision that was not approved. */
export const rejectionForm: Form = objectOf({
  kind: oneOf('rejected'),
  eventId: id,
  eventDigest: bareHash,
  event,
  approval: approval('rejected'),
  by: authorForm,
  '_sd_alg?': oneOf('sha-256'),
});

/** Whether an object must, may or must not have the member. */
type Presence = 'always' | 'maybe' | 'never';

export interface Disclosable {
  name: string;
  form: Form;
  presence: Presence;
}

export const always = (name: string, form: Form = text): Disclosable => ({ name, form, presence: 'always' });
export const maybe = (name: string, form: Form = text): Disclosable => ({ name, form, presence: 'maybe' });

export const EVENT_MEMBERS: readonly Disclosable[] = [
  always('decisionId', id),
  maybe('tags', listOf(text, MAX_TAGS)),
  maybe('riskScore', fraction),
];
export const ACTOR_MEMBERS: readonly Disclosable[] = [always('id', id), maybe('name')];
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
  return kind === 'system' ? [] : [always('id', id)];
}

/** Only passkeys sign; a delegate approves on behalf of another person. */
export function approvalMembers({ by, delegation }: ApprovalShape): readonly Disclosable[] {
  return [
    maybe('reason'),
    ...(by.kind === 'passkey' ? [always('signature', signatureForm)] : []),
    ...(delegation === undefined ? [] : [always('onBehalfOf', id)]),
  ];
}

interface ApprovalShape {
  by: { kind: string };
  delegation?: { id: string };
}

/** Every path that can be disclosed, withheld or erased. */
export const DISCLOSABLE_PATHS: readonly string[] = [
  ...paths('', EVENT_MEMBERS),
  ...paths('actor.', ACTOR_MEMBERS),
  ...paths('action.', ACTION_MEMBERS),
  ...paths('aiContext.', AI_MEMBERS),
  ...paths('approvals.approver.', APPROVER_MEMBERS),
  ...paths('approvals.', approvalMembers({ by: { kind: 'passkey' }, delegation: { id: '' } })),
  ...paths('approvals.by.', byMembers('passkey')),
];

function paths(prefix: string, members: readonly Disclosable[]): string[] {
  return members.map(({ name }) => prefix + name);
}
