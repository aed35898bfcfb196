/**
 * The members of a decision: of the event, of an approval and of the outcome. Everything that depends on them follows from these
 * tables: sealing, the form of sealed content, disclosing, erasing, storing, the JSON-LD context, the labels of the verify page and
 * the table of docs/proof-format.md. The Python verifier has its own copy, which a test compares with this one.
 */
import {
  type Accepted,
  amount,
  anyObject,
  bareHash,
  base64Url,
  digest,
  type Form,
  fraction,
  id,
  index,
  like,
  listOf,
  objectOf,
  oneOf,
  positive,
  previousHash,
  service,
  text,
  time,
} from './form.ts';
import {
  always,
  maybe,
  object,
  open,
  optional,
  type Plain,
  type Sealed,
  SealedObject,
  type Term,
  when,
} from './sealed-object.ts';

const dateTime = (term: string): Term => ({ '@id': term, '@type': 'xsd:dateTime' });
const double = (name: string): Term => ({ '@id': `countersign:${name}`, '@type': 'xsd:double' });
const json = (name: string): Term => ({ '@id': `countersign:${name}`, '@type': '@json' });
const list = (name: string): Term => ({ '@id': `countersign:${name}`, '@container': '@list' });
/** Names that the context defines for all objects. */
const shared = { term: null };

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

/**
 * How an approver was authenticated: by an API key that vouched for them, by a session, by a passkey's signature, or not at
 * all. A mandate approves by itself.
 */
export const BY_KINDS = ['api_key', 'session', 'passkey', 'system', 'mandate'] as const;
export type ApprovedByKind = (typeof BY_KINDS)[number];

/** Where a session came from, if the service did not authenticate the person itself: the OpenID Connect provider of the center. */
export const SIGN_IN_WAYS = ['oidc'] as const;

/** The subject of an OpenID Connect provider. Both are compared as they are. */
export const identityForm = objectOf({ issuer: text, subject: text });

const MAX_TAGS = 1000;

export const EVENT_TABLE = {
  decisionId: always(id, { label: ['Decision', 'reference number'], ...shared }),
  tags: maybe(listOf(text, MAX_TAGS), { label: ['Decision', 'tags'], term: list('tags') }),
  riskScore: maybe(fraction, { label: ['Decision', 'risk score'], term: double('riskScore') }),
  id: open(id, null),
  type: open(oneOf(...EVENT_TYPES), 'countersign:eventType'),
  actor: object(
    {
      id: always(id, { label: ['Actor', 'id'], ...shared }),
      type: open(oneOf(...ACTOR_TYPES), 'countersign:actorType'),
      name: maybe(text, { label: ['Actor', 'name'], ...shared }),
    },
    'prov:wasAssociatedWith',
  ),
  action: object(
    {
      type: open(text, 'countersign:actionType'),
      description: maybe(text, { label: ['Decision', 'description'], ...shared }),
      input: maybe(anyObject, { label: ['Decision', 'input'], term: json('input'), large: true }),
      output: maybe(anyObject, { label: ['Decision', 'output'], term: json('output'), large: true }),
    },
    'countersign:action',
  ),
  aiContext: optional(
    object(
      {
        model: maybe(text, { label: ['AI model', 'name'] }),
        provider: maybe(text, { label: ['AI model', 'provider'] }),
        confidence: maybe(fraction, { label: ['AI model', 'confidence'], term: double('confidence') }),
        reasoning: maybe(text, { label: ['AI model', 'reasoning'] }),
      },
      'countersign:aiContext',
    ),
  ),
  occurredAt: open(time, dateTime('prov:startedAtTime')),
};

const MAX_SIGNATURE_PART = 4096;
const signaturePart: Form<string> = (value, path) =>
  typeof value === 'string' && value.length > MAX_SIGNATURE_PART
    ? `${path} is longer than ${MAX_SIGNATURE_PART} characters`
    : base64Url(value, path);

/** A passkey's response, every part in base64url; the public key is a SubjectPublicKeyInfo in DER. */
export const signatureForm = objectOf({
  type: oneOf('webauthn'),
  credentialId: signaturePart,
  publicKey: signaturePart,
  authenticatorData: signaturePart,
  clientDataJSON: signaturePart,
  signature: signaturePart,
});

/** A seat that an approval fills; without a group for a seat of any human. */
const seat = objectOf({ index, 'group?': id });
/** Seats of one approval: at most one per policy scope. */
const MAX_ALSO_SEATS = 3;

const isSigned = ({ by }: { by?: unknown }) => (by as { kind?: unknown }).kind === 'passkey';

const APPROVAL_TABLE = {
  id: open(id, null),
  approver: object(
    {
      id: always(id, { label: ['Approvers', 'ids'], ...shared }),
      type: open(oneOf(...APPROVER_TYPES), 'countersign:approverType'),
      name: maybe(text, { label: ['Approvers', 'names'], ...shared }),
    },
    'prov:wasAssociatedWith',
  ),
  result: open(oneOf('approved', 'rejected')),
  reason: maybe(text, { label: ['Approvers', 'reasons'] }),
  signature: when('if `by.kind` is `passkey`', isSigned, signatureForm, {
    label: ['Approvers', 'signatures'],
    term: json('signature'),
  }),
  /** The person whose delegate approved. */
  onBehalfOf: when('if there is `delegation`', ({ delegation }) => delegation !== undefined, id, {
    label: ['Approvers', 'people they stood in for'],
  }),
  /** Missing while the approval is only prepared for signing. */
  approvedAt: open(time, dateTime('prov:endedAtTime')),
  by: object(
    {
      kind: open(oneOf(...BY_KINDS), 'countersign:authenticationKind'),
      /** The API key's or the person's; the system has none. */
      id: when('unless `kind` is `system`', ({ kind }) => kind !== 'system', id, {
        label: ['Approvers', 'accounts'],
        ...shared,
      }),
      via: optional(open(oneOf(...SIGN_IN_WAYS), 'countersign:signedInVia')),
      identity: when('if there is `via`', ({ via }) => via !== undefined, identityForm, {
        label: ['Approvers', 'company accounts'],
        term: json('identity'),
      }),
    },
    'countersign:authenticatedBy',
  ),
  seat: optional(open(seat, json('seat'))),
  /** Seats of wider quorums that the same approval fills. */
  alsoSeats: optional(open(listOf(seat, MAX_ALSO_SEATS, 1), json('alsoSeats'))),
  delegation: optional(open(objectOf({ id }), json('delegation'))),
  escalation: optional(open(objectOf({ group: id }), json('escalation'))),
};

/** What a caller can report. */
export const REPORTED_STATUSES = ['executed', 'failed'] as const;
export const OUTCOME_STATUSES = [...REPORTED_STATUSES, 'unknown'] as const;
export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number];

/** The author of a journal entry; its id is sealed. */
export const authorForm = objectOf({ kind: oneOf(...BY_KINDS), '_sd?': listOf(digest, 1, 1) });

const OUTCOME_TABLE = {
  kind: open(oneOf('outcome')),
  eventId: open(id),
  status: open(oneOf(...OUTCOME_STATUSES)),
  /** The digest of the disclosure of `action.input`; absent if the decision has none. */
  arguments: optional(open(digest)),
  /** Who reported it. */
  by: optional(open(authorForm)),
  output: maybe(anyObject, { label: ['Result', 'reported result'], large: true }),
};

export const EVENT = new SealedObject('', EVENT_TABLE);
export const APPROVAL = new SealedObject('approvals.', APPROVAL_TABLE);
export const OUTCOME = new SealedObject('outcome.', OUTCOME_TABLE);

export type PlainEvent = Plain<typeof EVENT_TABLE>;
export type SealedEvent = Sealed<typeof EVENT_TABLE>;
export type PlainApproval = Plain<typeof APPROVAL_TABLE>;
export type SealedApproval = Sealed<typeof APPROVAL_TABLE>;
export type ProviderSubject = Accepted<typeof identityForm>;
export type WebAuthnSignature = NonNullable<PlainApproval['signature']>;
/** Why an approver could fill a seat. */
export type Seating = Pick<PlainApproval, 'seat' | 'alsoSeats' | 'delegation' | 'escalation'>;
export type SeatReference = NonNullable<Seating['seat']>;
export type PlainOutcome = Plain<typeof OUTCOME_TABLE>;
/** The record of an outcome on the journal. */
export type OutcomeContent = Sealed<typeof OUTCOME_TABLE> & { _sd_alg?: 'sha-256' };

const MAX_APPROVALS = 100;

const approvalForm = (result: 'approved' | 'rejected') =>
  new SealedObject('approvals.', { ...APPROVAL_TABLE, result: open(oneOf(result)) }).form;

/** The guards of a policy, all of which are sealed, in this order. */
export const GUARDS = [
  'policy_existence',
  'evidence_level',
  'human_review',
  'risk_threshold',
  'dual_approval',
  'approver_authentication',
  'quorum',
] as const;

export interface SealedGuard {
  guard: string;
  verdict: string;
  detail: string;
  policy?: string;
  version?: number;
}

/** How many policies can cover one action: a document attaches each of them. */
export const MAX_CONSIDERED = 200;

/** How many members a group can have: a document may disclose each of them. */
export const MAX_GROUP_MEMBERS = 500;

/** Entries in ascending order of a member, so that equal sets have one text and no entry is repeated. */
const sortedBy =
  <Name extends string>(name: Name, list: Form): Form<{ [key in Name]: string }[]> =>
  (value, path) => {
    const found = list(value, path);
    if (found !== null) return found;
    const keys = (value as { [key in Name]: string }[]).map((each) => each[name]);
    return keys.every((key, i) => i === 0 || keys[i - 1]! < key) ? null : `${path} is not sorted`;
  };

const considered = sortedBy('id', listOf(objectOf({ id, version: index }), MAX_CONSIDERED, 1)) as Form<
  { id: string; version: number }[]
>;
const journals = sortedBy('origin', listOf(objectOf({ origin: text, size: index }), 3, 2)) as Form<
  { origin: string; size: number }[]
>;

const guard: Form<SealedGuard> = objectOf({
  guard: oneOf(...GUARDS),
  verdict: oneOf('pass'),
  detail: text,
  'policy?': id,
  'version?': index,
});

/** Lines of verdicts name it, so it has no characters that such a line has between its parts. */
const mandateId = like(/^[A-Za-z0-9_-]{1,256}$/, 'not the id of a mandate');

/** The content of a record on the proof chain. Paths begin at its root, which has no name. */
export const decisionForm = objectOf({
  kind: oneOf('decision'),
  /** Host, with port, of the service that sealed it. */
  service,
  center: objectOf({ id: index, domain: text }),
  event: EVENT.form,
  approvals: listOf(approvalForm('approved'), MAX_APPROVALS, 1),
  policy: objectOf({
    id,
    version: index,
    guards: listOf(guard, GUARDS.length, GUARDS.length),
    /** All policies that covered the action. Missing in decisions that were sealed before format 4, like `journals`. */
    'considered?': considered,
    /** The chains from which policies, groups and passkeys were read, each with its size at that time. */
    'journals?': journals,
  }),
  /** The mandate that approved it, the decision that granted that, and its usage afterwards, counted from 1. */
  'mandate?': objectOf({
    id: mandateId,
    eventId: id,
    use: positive,
    'spent?': amount,
    /** The hash of the record of the use before. Missing in uses that were sealed before format 4. */
    'previous?': previousHash,
  }),
  _sd_alg: oneOf('sha-256'),
});
export type SealedDecision = Accepted<typeof decisionForm>;
export type SealedPolicy = SealedDecision['policy'];
export type JournalSize = NonNullable<SealedPolicy['journals']>[number];
export type PolicyVersion = NonNullable<SealedPolicy['considered']>[number];
export type SealedMandate = NonNullable<SealedDecision['mandate']>;

/** The journal's record of a decision that was not approved. */
export const rejectionForm = objectOf({
  kind: oneOf('rejected'),
  eventId: id,
  eventDigest: bareHash,
  event: EVENT.form,
  approval: approvalForm('rejected'),
  by: authorForm,
  '_sd_alg?': oneOf('sha-256'),
});

export const outcomeForm = objectOf({
  ...OUTCOME.forms,
  '_sd?': listOf(digest, 1, 1),
  '_sd_alg?': oneOf('sha-256'),
}) as Form<OutcomeContent>;

/** All disclosable members. */
export const DISCLOSABLE_MEMBERS = [EVENT, APPROVAL, OUTCOME].flatMap(({ paths }) => paths);

/** Every path of a decision and its approvals that can be disclosed, withheld or erased. */
export const DISCLOSABLE_PATHS: readonly string[] = [...EVENT.paths, ...APPROVAL.paths].map(
  ({ path }) => path,
);

/** Every path that can be erased. */
export const ERASABLE_PATHS: readonly string[] = DISCLOSABLE_MEMBERS.map(({ path }) => path);

/** What pages call a member: the subject and the name, by path. */
export const LABELS: ReadonlyMap<string, readonly [subject: string, name: string]> = new Map([
  ...DISCLOSABLE_MEMBERS.map(({ path, label }) => [path, label] as const),
  ['outcome.by.id', ['Result', 'account that reported it']],
  ['credentials.by.id', ['Approvers', 'owners of the passkeys']],
  ['groups.members', ['Approvers', 'membership in their groups']],
  ['delegations.from', ['Approvers', 'who delegated to them']],
  ['delegations.to', ['Approvers', 'to whom it was delegated']],
  ['mandateProof', ['Mandate', 'parts of the decision that granted it']],
  // Of a platform record.
  ['content', ['Decision', 'content']],
]);
