/**
 * The form of a proof document, and the types that follow from it. The shown decision is not checked here: it is rebuilt and
 * compared later.
 */
import { fromBase64 } from './bytes.ts';
import type { JsonValue } from './canonical.ts';
import { BY_KINDS, MAX_CONSIDERED, MAX_GROUP_MEMBERS, OUTCOME_STATUSES } from './decision.ts';
import {
  type Accepted,
  anyObject,
  bareHash,
  type Form,
  id,
  index,
  isObject,
  like,
  listOf,
  nullable,
  objectOf,
  oneOf,
  prefixedHash,
  previousHash,
  text,
  time,
} from './form.ts';
import { closings } from './log-closing.ts';
import type { ShownDecision, ShownRejection } from './shown.ts';
import { KEY_NAME } from './vkey.ts';

export const PROOF_FORMAT = 'countersign/4';

/** The depth of a tree with 2^53 leaves, the largest safe count. */
const MAX_PROOF_HASHES = 53;
const MAX_DISCLOSURES = 10_000;
const MAX_ERASED = 100;
const MAX_ATTACHED = 200;
const MAX_ATTACHED_DISCLOSURES = 10;
const MAX_CHECKPOINTS = 64;

/** The chain domain whose records are sealed decisions. */
export const DECISION_DOMAIN = 'proof';

const chain = (...domains: string[]) =>
  objectOf({
    hash: prefixedHash,
    previousHash: nullable(prefixedHash),
    index,
    domain: oneOf(...domains),
  });
const ownChain = chain('platform', DECISION_DOMAIN);
export type ProofChain = Accepted<typeof ownChain>;

const decisionEvidence = objectOf({
  '@id': text,
  '@type': oneOf('prov:Entity'),
  id,
  'decisionId?': id,
  status: oneOf('sealed'),
  evidenceLevel: oneOf('AUDIT_READY'),
  event: anyObject,
  approval: anyObject,
  approvals: listOf(anyObject, 100, 1),
  policy: anyObject,
  'mandate?': anyObject,
  responsibility: anyObject,
  chain: ownChain,
  sealedAt: time,
  createdAt: time,
});
export type DecisionProofEvidence = ShownDecision & { id: string; chain: ProofChain };

const rejectionEvidence = objectOf({
  '@id': text,
  '@type': oneOf('prov:Entity'),
  id,
  'decisionId?': id,
  status: oneOf('rejected'),
  evidenceLevel: oneOf('DOCUMENTED'),
  event: anyObject,
  approval: anyObject,
  chain: chain('journal'),
  rejectedAt: time,
  createdAt: time,
});
export type RejectionProofEvidence = ShownRejection & { id: string; chain: ProofChain };

const platformEvidence = objectOf({
  '@id': text,
  '@type': oneOf('prov:Entity'),
  id,
  decisionId: id,
  status: oneOf('pending', 'sealed'),
  evidenceLevel: oneOf('DRAFT', 'DOCUMENTED', 'AUDIT_READY'),
  /** Equal to the record's content: null if withheld, empty once erased. */
  content: nullable(text),
  'erasedAt?': time,
  chain: ownChain,
  createdAt: time,
  /** When it was appended to the chain, not when its level was raised; null while it is not sealed. */
  sealedAt: nullable(time),
});
export type PlatformProofEvidence = Accepted<typeof platformEvidence>;

const verification = objectOf({
  hashAlgorithm: oneOf('SHA-256'),
  chainDomain: text,
  chainIndex: index,
  chainHash: prefixedHash,
  previousHash: nullable(prefixedHash),
  /** `{public_url}/verify/{id}`: the event's id for decisions, `evidence.id` otherwise. */
  verifyUrl: text,
});

const inTree = {
  leafIndex: index,
  treeSize: index,
  /** RFC 9162 inclusion proof, leaf side first, each 64 hex digits. */
  hashes: listOf(bareHash, MAX_PROOF_HASHES),
  /** The signed checkpoint as text, with all its signatures. */
  checkpoint: text,
} as const;
const inclusion = objectOf(inTree);
export type Inclusion = Accepted<typeof inclusion>;

/** The head of the document's own record, with the statements that closed the logs before it. */
const ownHead = objectOf({ ...inTree, 'closings?': closings });
export type OwnHead = Accepted<typeof ownHead>;

const ed25519Key: Form<string> = (value, path) => {
  const wrong = `${path} is not an Ed25519 key of 32 bytes in base64`;
  try {
    return typeof value === 'string' && fromBase64(value).length === 32 ? null : wrong;
  } catch {
    return wrong;
  }
};

const publicKey = objectOf({
  keyId: like(/^[0-9a-f]{8}$/, 'not 8 hex digits'),
  /** The service. */
  name: like(KEY_NAME, 'not the name of a key'),
  publicKey: ed25519Key,
});
export type ProofKey = Accepted<typeof publicKey>;

const record = objectOf({ content: text, previousHash, timestamp: time });
const platformRecord = objectOf({ content: nullable(text), previousHash, timestamp: time });
/** The id only if it is disclosed. */
const author = objectOf({ kind: oneOf(...BY_KINDS), 'id?': id });
const places = { 'inclusion?': inclusion, 'head?': inclusion } as const;
const attachedDisclosures = listOf(text, MAX_ATTACHED_DISCLOSURES);

const attached = objectOf({ record, disclosures: attachedDisclosures, ...places });
/** Another record that the proof needs, with its place in its chain and in the log. */
export type AttachedRecord = Accepted<typeof attached>;
const groupRecord = objectOf({ record, disclosures: listOf(text, MAX_GROUP_MEMBERS), ...places });

/** `by` erased it, and `confirmedBy` agreed where two people must; `journal` is the entry that says so. */
const erasedMember = objectOf({
  path: text,
  at: time,
  reason: nullable(text),
  'by?': author,
  'confirmedBy?': author,
  'journal?': attached,
});
export type Erased = Accepted<typeof erasedMember>;
const erased = listOf(erasedMember, MAX_ERASED, 1);

/** `by` reported it. */
const outcome = objectOf({
  status: oneOf(...OUTCOME_STATUSES),
  'output?': anyObject as Form<JsonValue>,
  recordedAt: time,
  journalIndex: index,
  'by?': author,
  record,
  disclosures: attachedDisclosures,
  ...places,
});
export type ProofOutcome = Accepted<typeof outcome>;

const frame = {
  /** `{schema_url}/decision-proof/v2` */
  '@context': text,
  '@type': oneOf('DecisionProof'),
  version: oneOf('2.0'),
  format: oneOf(PROOF_FORMAT),
} as const;

const dated = { exportedAt: time } as const;

/** `inclusion` is present once a checkpoint covers the record, `head` once the head log covers that checkpoint. */
const signatures = {
  'inclusion?': inclusion,
  'head?': ownHead,
  /** The key that signed. A reader without trusted keys compares it with the published one. */
  'publicKey?': publicKey,
} as const;

const disclosed = { record, disclosures: listOf(text, MAX_DISCLOSURES) } as const;
/** Registrations and removals of the passkeys that signed. */
const credentials = { 'credentials?': listOf(attached, MAX_ATTACHED) } as const;

const decisionDocument = objectOf({
  ...frame,
  ...dated,
  evidence: decisionEvidence,
  verification,
  ...disclosed,
  ...credentials,
  /** The policy versions that the service considered. */
  'policies?': listOf(objectOf({ record, ...places }), MAX_CONSIDERED),
  /** The groups whose seats were filled, and the delegations under which they were. */
  'groups?': listOf(groupRecord, MAX_ATTACHED),
  'delegations?': listOf(attached, MAX_ATTACHED),
  'erased?': erased,
  ...signatures,
  'outcome?': outcome,
  /** The proof of the decision that granted this decision's mandate. */
  'mandateProof?': anyObject,
});

const rejectionDocument = objectOf({
  ...frame,
  kind: oneOf('rejection'),
  ...dated,
  evidence: rejectionEvidence,
  verification,
  ...disclosed,
  ...credentials,
  'erased?': erased,
  ...signatures,
});

const platformDocument = objectOf({
  ...frame,
  ...dated,
  evidence: platformEvidence,
  verification,
  record: platformRecord,
  'erased?': erased,
  ...signatures,
});

/** A document of any of the three kinds. The proof of a decision has every member but `kind`. */
export interface ProofDocument
  extends Omit<Accepted<typeof decisionDocument>, 'evidence' | 'record' | 'disclosures' | 'mandateProof'> {
  kind?: 'rejection';
  evidence: DecisionProofEvidence | RejectionProofEvidence | PlatformProofEvidence;
  record: Accepted<typeof platformRecord>;
  disclosures?: string[];
  mandateProof?: ProofDocument;
}

/** The domain and the presence of an event decide the kind, so a proof of one kind never passes as another. */
function claimsDecision(document: Record<string, unknown>): boolean {
  const { evidence } = document;
  if (!isObject(evidence)) return false;
  return (
    Object.hasOwn(evidence, 'event') ||
    (isObject(evidence['chain']) && evidence['chain']['domain'] === DECISION_DOMAIN)
  );
}

function formOf(document: Record<string, unknown>): Form {
  if (document['kind'] !== undefined) return rejectionDocument;
  return claimsDecision(document) ? decisionDocument : platformDocument;
}

/** The first fault of a document's form, as a clause. */
export function proofFault(document: Record<string, unknown>): string | null {
  const form = formOf(document);
  const found = form(document, '');
  if (found !== null) return found;
  const { chain } = document['evidence'] as { chain: { domain: string } };
  if (form === decisionDocument && chain.domain !== DECISION_DOMAIN)
    return 'a decision is shown that does not lie on a chain of decisions';
  if (document['inclusion'] === undefined) {
    for (const name of ['head', 'publicKey'])
      if (document[name] !== undefined) return `${name} is there without inclusion`;
  } else if (document['publicKey'] === undefined) return 'publicKey is missing';
  return attachedFault(document as unknown as ProofDocument);
}

/** The additional records of a document, each with the name of its place. */
function attachedRecords(
  document: ProofDocument,
): { place: string; attached: Omit<AttachedRecord, 'disclosures'> }[] {
  const { credentials = [], policies = [], groups = [], delegations = [], erased = [], outcome } = document;
  return [
    ...credentials.map((each, i) => ({ place: `credentials[${i}]`, attached: each })),
    ...policies.map((each, i) => ({ place: `policies[${i}]`, attached: each })),
    ...groups.map((each, i) => ({ place: `groups[${i}]`, attached: each })),
    ...delegations.map((each, i) => ({ place: `delegations[${i}]`, attached: each })),
    ...erased.flatMap(({ journal }, i) =>
      journal ? [{ place: `erased[${i}].journal`, attached: journal }] : [],
    ),
    ...(outcome ? [{ place: 'outcome', attached: outcome }] : []),
  ];
}

function attachedFault(document: ProofDocument): string | null {
  const records = attachedRecords(document);
  for (const { place, attached } of records) {
    if (attached.inclusion && !document.inclusion) return `${place}.inclusion is there without inclusion`;
    if (attached.head && !attached.inclusion) return `${place}.head is there without inclusion`;
  }
  const checkpoints = [document, ...records.map((each) => each.attached)].flatMap(({ inclusion, head }) => [
    inclusion?.checkpoint,
    head?.checkpoint,
  ]);
  return new Set(checkpoints.filter((text) => text !== undefined)).size > MAX_CHECKPOINTS
    ? `it has more than ${MAX_CHECKPOINTS} different checkpoints`
    : null;
}
