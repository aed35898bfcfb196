/** Whether an unknown value has the form of an export document; its claims are checked elsewhere. */
import { fromBase64 } from './bytes.ts';
import { DECISION_DOMAIN, type ExportDocument } from './document.ts';
import { HASH_PREFIX, isRecordHash, isRecordTimestamp } from './record.ts';
import {
  anything,
  type Check,
  index,
  isPlainObject,
  listOf,
  maybe,
  nullable,
  objectOf,
  oneOf,
  optional,
  text,
  textLike,
} from './shape.ts';

/** A tree of 2^53 leaves, the most a number can count, is this deep. */
const MAX_PROOF_HASHES = 53;
const MAX_APPROVALS = 100;
const MAX_TAGS = 1000;

const prefixedHash = textLike(
  (value) => value.startsWith(HASH_PREFIX) && isRecordHash(value.slice(HASH_PREFIX.length)),
  '"sha256:" followed by 64 hex digits',
);
const bareHash = textLike(isRecordHash, '64 hex digits');
const recordTime = textLike(isRecordTimestamp, 'a time such as 2026-01-31T12:00:00.000Z');
const dateTime = textLike((value) => !Number.isNaN(Date.parse(value)), 'a date and time');
const freeObject: Check = objectOf({});

const party = objectOf({ id: text, type: text, name: maybe(text) });

const event = objectOf({
  id: optional(text),
  decisionId: optional(text),
  type: text,
  actor: party,
  action: objectOf({ type: text, description: maybe(text), input: anything, output: anything }),
  aiContext: maybe(freeObject),
  tags: optional(listOf(text, MAX_TAGS)),
  occurredAt: dateTime,
});

const approval = objectOf({
  id: optional(text),
  approver: party,
  result: oneOf('approved', 'rejected'),
  reason: maybe(text),
  approvedAt: dateTime,
});

const chain = objectOf({ hash: prefixedHash, previousHash: nullable(prefixedHash), index, domain: text });

const decisionEvidence = objectOf({
  id: text,
  decisionId: text,
  status: oneOf('sealed'),
  evidenceLevel: oneOf('AUDIT_READY'),
  event,
  approval,
  approvals: optional(listOf(approval, MAX_APPROVALS)),
  policy: optional(freeObject),
  chain,
  responsibility: optional(freeObject),
  sealedAt: optional(dateTime),
  createdAt: optional(dateTime),
});

const platformEvidence = objectOf({
  id: text,
  decisionId: text,
  status: oneOf('pending', 'sealed'),
  evidenceLevel: oneOf('DRAFT', 'DOCUMENTED', 'AUDIT_READY'),
  content: nullable(text),
  metadata: optional(freeObject),
  chain,
  responsibility: optional(freeObject),
  createdAt: optional(dateTime),
  sealedAt: maybe(dateTime),
});

/** The domain decides too: an export of a decision must not pass as another kind by leaving its event out. */
const evidence: Check = (value, path) => {
  const isDecision =
    isPlainObject(value) &&
    ((value['event'] ?? null) !== null ||
      (isPlainObject(value['chain']) && value['chain']['domain'] === DECISION_DOMAIN));
  return (isDecision ? decisionEvidence : platformEvidence)(value, path);
};

const ed25519Key = textLike((value) => {
  try {
    return fromBase64(value).length === 32;
  } catch {
    return false;
  }
}, 'an Ed25519 public key of 32 bytes in base64');

const exportDocument = objectOf({
  '@context': textLike(
    (value) => value.endsWith('/decision-proof/v2'),
    'an address ending in /decision-proof/v2',
  ),
  '@type': oneOf('DecisionProof'),
  version: oneOf('2.0'),
  exportedAt: dateTime,
  evidence,
  verification: objectOf({
    hashAlgorithm: oneOf('SHA-256'),
    chainDomain: text,
    chainIndex: index,
    chainHash: prefixedHash,
    previousHash: nullable(prefixedHash),
    verifyUrl: textLike((value) => URL.canParse(value), 'a web address'),
  }),
  record: objectOf({
    content: nullable(text),
    previousHash: textLike((value) => value === '' || isRecordHash(value), '64 hex digits or empty'),
    timestamp: recordTime,
  }),
  inclusion: optional(
    objectOf({
      leafIndex: index,
      treeSize: index,
      hashes: listOf(bareHash, MAX_PROOF_HASHES),
      checkpoint: text,
    }),
  ),
  publicKey: optional(
    objectOf({
      keyId: textLike((value) => /^[0-9a-f]{8}$/.test(value), '8 hex digits'),
      name: textLike((value) => /^[^\s+]+$/u.test(value), 'a key name without spaces'),
      publicKey: ed25519Key,
    }),
  ),
});

/** Sentences that say what keeps a value from being an export document; none when it is one. */
export function exportDocumentFaults(value: unknown): string[] {
  return exportDocument(value, '');
}

export function isExportDocument(value: unknown): value is ExportDocument {
  return exportDocumentFaults(value).length === 0;
}
