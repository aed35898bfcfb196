/** What a proof document must look like. What it shows of a decision is not looked at here: that is made anew and compared. */
import { fromBase64 } from './bytes.ts';
import {
  anyObject,
  bareHash,
  type Form,
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

/** A tree of 2^53 leaves, the most a number can count, is this deep. */
const MAX_PROOF_HASHES = 53;
const MAX_DISCLOSURES = 10_000;
const MAX_ERASED = 1000;

/** The chain domain whose records are sealed decisions. */
export const DECISION_DOMAIN = 'proof';

const chain = objectOf({
  hash: prefixedHash,
  previousHash: nullable(prefixedHash),
  index,
  domain: oneOf('platform', DECISION_DOMAIN),
});

const decisionEvidence = objectOf({
  '@id': text,
  '@type': oneOf('prov:Entity'),
  id: text,
  'decisionId?': text,
  status: oneOf('sealed'),
  evidenceLevel: oneOf('AUDIT_READY'),
  event: anyObject,
  approval: anyObject,
  approvals: listOf(anyObject, 100, 1),
  policy: anyObject,
  responsibility: anyObject,
  chain,
  sealedAt: time,
  createdAt: time,
});

const platformEvidence = objectOf({
  '@id': text,
  '@type': oneOf('prov:Entity'),
  id: text,
  decisionId: text,
  status: oneOf('pending', 'sealed'),
  evidenceLevel: oneOf('DRAFT', 'DOCUMENTED', 'AUDIT_READY'),
  content: nullable(text),
  'erasedAt?': time,
  chain,
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
  name: like(/^[^\s+]+$/u, 'not the name of a key'),
  publicKey: ed25519Key,
});

const erased = listOf(objectOf({ path: text, at: time, reason: nullable(text) }), MAX_ERASED, 1);

const outcome = objectOf({
  status: oneOf('executed', 'failed'),
  'output?': anyObject,
  recordedAt: time,
  journalIndex: index,
  record: objectOf({ content: text, previousHash, timestamp: time }),
  disclosures: listOf(text, 1),
  'inclusion?': inclusion,
});

const frame = {
  '@context': like(/^\S+\/decision-proof\/v2$/, 'not an address ending in /decision-proof/v2'),
  '@type': oneOf('DecisionProof'),
  version: oneOf('2.0'),
  exportedAt: time,
} as const;

const signatures = { 'inclusion?': inclusion, 'head?': inclusion, 'publicKey?': publicKey } as const;

const decisionDocument = objectOf({
  ...frame,
  evidence: decisionEvidence,
  verification,
  record: objectOf({ content: text, previousHash, timestamp: time }),
  disclosures: listOf(text, MAX_DISCLOSURES),
  'erased?': erased,
  ...signatures,
  'outcome?': outcome,
});

const platformDocument = objectOf({
  ...frame,
  evidence: platformEvidence,
  verification,
  record: objectOf({ content: nullable(text), previousHash, timestamp: time }),
  'erased?': erased,
  ...signatures,
});

/** The domain decides, and an event too: no proof of another kind passes for that of a decision, nor the other way round. */
function claimsDecision(document: Record<string, unknown>): boolean {
  const { evidence } = document;
  if (!isObject(evidence)) return false;
  return (
    Object.hasOwn(evidence, 'event') ||
    (isObject(evidence['chain']) && evidence['chain']['domain'] === DECISION_DOMAIN)
  );
}

/** The first fault of a document's form, as a clause. */
export function proofFault(document: Record<string, unknown>): string | null {
  const isDecision = claimsDecision(document);
  const found = (isDecision ? decisionDocument : platformDocument)(document, '');
  if (found !== null) return found;
  const { chain } = document['evidence'] as { chain: { domain: string } };
  if (isDecision && chain.domain !== DECISION_DOMAIN)
    return 'a decision is shown that does not lie on a chain of decisions';
  if (document['inclusion'] === undefined) {
    for (const name of ['head', 'publicKey'])
      if (document[name] !== undefined) return `${name} is there without inclusion`;
  } else if (document['publicKey'] === undefined) return 'publicKey is missing';
  return null;
}
