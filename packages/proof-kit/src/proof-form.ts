/** The form of a proof document. The shown decision is not checked here: it is rebuilt and compared later. */
import { fromBase64 } from './bytes.ts';
import { BY_KINDS, OUTCOME_STATUSES } from './decision.ts';
import {
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
  text,
  time,
} from './form.ts';
import { type AttachedRecord, PROOF_FORMAT, type ProofDocument } from './proof-document.ts';
import { KEY_NAME } from './vkey.ts';

/** The depth of a tree with 2^53 leaves, the largest safe count. */
const MAX_PROOF_HASHES = 53;
const MAX_DISCLOSURES = 10_000;
const MAX_ERASED = 100;
const MAX_ATTACHED = 200;
const MAX_ATTACHED_DISCLOSURES = 10;
const MAX_CHECKPOINTS = 64;

/** The chain domain whose records are sealed decisions. */
export const DECISION_DOMAIN = 'proof';

const chain = (...domains: string[]): Form =>
  objectOf({
    hash: prefixedHash,
    previousHash: nullable(prefixedHash),
    index,
    domain: oneOf(...domains),
  });
const ownChain = chain('platform', DECISION_DOMAIN);

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

const platformEvidence = objectOf({
  '@id': text,
  '@type': oneOf('prov:Entity'),
  id,
  decisionId: id,
  status: oneOf('pending', 'sealed'),
  evidenceLevel: oneOf('DRAFT', 'DOCUMENTED', 'AUDIT_READY'),
  content: nullable(text),
  'erasedAt?': time,
  chain: ownChain,
  createdAt: time,
  sealedAt: nullable(time),
});

const verification = objectOf({
  hashAlgorithm: oneOf('SHA-256'),
  chainDomain: text,
  chainIndex: index,
  chainHash: prefixedHash,
  previousHash: nullable(prefixedHash),
  verifyUrl: text,
});

const previousHash = like(/^(?:[0-9a-f]{64})?$/, 'not 64 hex digits or empty');

const inclusion = objectOf({
  leafIndex: index,
  treeSize: index,
  hashes: listOf(bareHash, MAX_PROOF_HASHES),
  checkpoint: text,
});

const ed25519Key: Form = (value, path) => {
  const wrong = `${path} is not an Ed25519 key of 32 bytes in base64`;
  try {
    return typeof value === 'string' && fromBase64(value).length === 32 ? null : wrong;
  } catch {
    return wrong;
  }
};

const publicKey = objectOf({
  keyId: like(/^[0-9a-f]{8}$/, 'not 8 hex digits'),
  name: like(KEY_NAME, 'not the name of a key'),
  publicKey: ed25519Key,
});

const record = objectOf({ content: text, previousHash, timestamp: time });
const author = objectOf({ kind: oneOf(...BY_KINDS), 'id?': id });
const places = { 'inclusion?': inclusion, 'head?': inclusion } as const;
const attachedDisclosures = listOf(text, MAX_ATTACHED_DISCLOSURES);
const attached = objectOf({ record, disclosures: attachedDisclosures, ...places });

const erased = listOf(
  objectOf({ path: text, at: time, reason: nullable(text), 'by?': author, 'journal?': attached }),
  MAX_ERASED,
  1,
);

const outcome = objectOf({
  status: oneOf(...OUTCOME_STATUSES),
  'output?': anyObject,
  recordedAt: time,
  journalIndex: index,
  'by?': author,
  record,
  disclosures: attachedDisclosures,
  ...places,
});

const frame = {
  '@context': text,
  '@type': oneOf('DecisionProof'),
  version: oneOf('2.0'),
  format: oneOf(PROOF_FORMAT),
} as const;

const dated = { exportedAt: time } as const;

const signatures = { ...places, 'publicKey?': publicKey } as const;

const disclosed = { record, disclosures: listOf(text, MAX_DISCLOSURES) } as const;
const credentials = { 'credentials?': listOf(attached, MAX_ATTACHED) } as const;

const decisionDocument = objectOf({
  ...frame,
  ...dated,
  evidence: decisionEvidence,
  verification,
  ...disclosed,
  ...credentials,
  'policies?': listOf(objectOf({ record, ...places }), MAX_ATTACHED),
  'erased?': erased,
  ...signatures,
  'outcome?': outcome,
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
  record: objectOf({ content: nullable(text), previousHash, timestamp: time }),
  'erased?': erased,
  ...signatures,
});

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
  const { credentials = [], policies = [], erased = [], outcome } = document;
  return [
    ...credentials.map((each, i) => ({ place: `credentials[${i}]`, attached: each })),
    ...policies.map((each, i) => ({ place: `policies[${i}]`, attached: each })),
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
