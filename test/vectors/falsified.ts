/** Exports with one thing falsified each, and the steps that must notice it. */
import { canonicalJson, type ExportDocument, recordHash, type StepName } from '../../src/proof-kit/index.ts';
import { genuineExports, otherChainsInclusion, strangersInclusion } from './exports.ts';

export interface Falsification {
  document: ExportDocument;
  fails: StepName[];
}

type Json = { [key: string]: Json };
type Path = string;

/** A copy with the value at a dotted path replaced; undefined removes it. */
function altered(document: ExportDocument, path: Path, value: unknown): ExportDocument {
  const copy = structuredClone(document);
  const keys = path.split('.');
  const last = keys.pop()!;
  let holder = copy as unknown as Json;
  for (const key of keys) holder = holder[key]!;
  if (value === undefined) delete holder[last];
  else (holder as Record<string, unknown>)[last] = value;
  return copy;
}

const OTHER_HASH = 'ab'.repeat(32);
const PREFIXED = `sha256:${OTHER_HASH}`;

/** Which step notices which field: [field, false value, failing steps]. */
const DECISION_FIELDS: [Path, unknown, ...StepName[]][] = [
  ['@context', 'https://proof.example/schemas/decision-proof/v1', 'document'],
  ['@type', 'Receipt', 'document'],
  ['version', '3.0', 'document'],
  ['exportedAt', 'yesterday', 'document'],
  ['record', undefined, 'document'],
  ['verification', undefined, 'document'],
  ['evidence.event', undefined, 'document'],
  ['evidence.approval', undefined, 'document'],
  ['evidence.status', 'pending', 'document'],
  ['evidence.evidenceLevel', 'DRAFT', 'document'],
  ['evidence.chain.hash', OTHER_HASH, 'document'],
  ['evidence.chain.index', -1, 'document'],
  ['verification.hashAlgorithm', 'MD5', 'document'],
  ['record.timestamp', '2026-02-30T12:00:00.000Z', 'document'],
  ['record.previousHash', OTHER_HASH.toUpperCase(), 'document'],
  ['inclusion.hashes', Array.from({ length: 99 }, () => OTHER_HASH), 'document'],

  ['record.timestamp', '2026-01-31T12:04:04.029Z', 'hash', 'content'],
  ['evidence.chain.hash', PREFIXED, 'hash', 'inclusion'],
  ['verification.chainHash', PREFIXED, 'hash'],

  ['record.previousHash', OTHER_HASH, 'hash', 'link'],
  ['record.previousHash', '', 'hash', 'link'],
  ['evidence.chain.previousHash', PREFIXED, 'link'],
  ['evidence.chain.previousHash', null, 'link'],
  ['evidence.chain.index', 5, 'link', 'inclusion'],
  ['evidence.chain.domain', 'platform', 'link', 'inclusion'],
  ['verification.previousHash', PREFIXED, 'link'],
  ['verification.chainIndex', 3, 'link'],
  ['verification.chainDomain', 'platform', 'link'],

  ['evidence.decisionId', 'refund-5', 'content'],
  ['evidence.event.id', 'evt_vector_5', 'content'],
  ['evidence.event.type', 'human_approval', 'content'],
  ['evidence.event.actor.id', 'agent-8', 'content'],
  ['evidence.event.actor.type', 'human', 'content'],
  ['evidence.event.actor.name', 'Someone else', 'content'],
  ['evidence.event.actor.name', null, 'content'],
  ['evidence.event.actor.title', 'Director', 'content'],
  ['evidence.event.action.type', 'refund.deny', 'content'],
  ['evidence.event.action.description', 'Refund a missed year', 'content'],
  ['evidence.event.action.input.amount', 999_999, 'content'],
  ['evidence.event.action.input.currency', undefined, 'content'],
  ['evidence.event.action.output.granted', false, 'content'],
  ['evidence.event.aiContext.model', 'judge-4', 'content'],
  ['evidence.event.aiContext.confidence', 0.99, 'content'],
  ['evidence.event.aiContext.reasoning', 'No reason.', 'content'],
  ['evidence.event.tags', ['session', 'refund'], 'content'],
  ['evidence.event.occurredAt', '2026-01-30T11:58:00.250Z', 'content'],
  ['evidence.approval.id', 'apr_vector_4a', 'content'],
  ['evidence.approval.approver.id', 'mbr_9', 'content'],
  ['evidence.approval.approver.name', 'Mallory', 'content'],
  ['evidence.approval.approver.type', 'system', 'content'],
  ['evidence.approval.result', 'rejected', 'content'],
  ['evidence.approval.reason', 'Because I said so.', 'content'],
  ['evidence.approval.approvedAt', '2026-01-31T12:59:30.000Z', 'content'],
  ['evidence.approvals.0.approver.name', 'Mallory', 'content'],
  ['evidence.approvals.1', undefined, 'document'],
  ['evidence.approvals.length', 1, 'content'],
  ['evidence.policy.version', 4, 'content'],
  ['evidence.policy.guards', [], 'content'],
  ['evidence.sealedAt', '2026-01-31T12:04:04.027Z', 'content'],
  ['verification.verifyUrl', 'https://proof.example/verify/evt_vector_5', 'content'],

  ['inclusion.leafIndex', 5, 'inclusion'],
  ['inclusion.treeSize', 12, 'inclusion'],
  ['inclusion.hashes.0', OTHER_HASH, 'inclusion'],
  ['inclusion.hashes', [], 'inclusion'],
  ['inclusion.checkpoint', 'no checkpoint', 'inclusion', 'signature'],

  ['publicKey.keyId', '00000000', 'signature'],
  ['publicKey.name', 'elsewhere.example/chains/12/proof', 'signature'],
  ['publicKey.publicKey', 'A'.repeat(43).concat('='), 'signature'],
];

const PLATFORM_FIELDS: [Path, unknown, ...StepName[]][] = [
  ['record.content', 'Attendance of session 3 denied', 'hash', 'content'],
  ['evidence.content', 'Attendance of session 3 denied', 'content'],
  ['evidence.createdAt', '2026-01-31T12:00:00.000Z', 'content'],
  ['evidence.evidenceLevel', 'GOLD', 'document'],
  ['evidence.id', 'dpu_vector_4', 'content'],
  ['evidence.chain.domain', 'proof', 'document'],
  ['verification.verifyUrl', 'https://proof.example/verify/dpu_vector_4', 'content'],
  ['inclusion.hashes.1', OTHER_HASH, 'inclusion'],
];

const GENESIS_FIELDS: [Path, unknown, ...StepName[]][] = [
  ['evidence.chain.previousHash', PREFIXED, 'link'],
  ['verification.previousHash', PREFIXED, 'link'],
  ['record.previousHash', OTHER_HASH, 'hash', 'link'],
];

function nameOf(kind: string, path: Path, taken: (name: string) => boolean): string {
  const base = `${kind}-${path.replace('@', '').replaceAll('.', '-')}`;
  let name = base;
  for (let n = 2; taken(name); n++) name = `${base}-${n}`;
  return name;
}

function withContent(document: ExportDocument, content: string): ExportDocument {
  return altered(document, 'record.content', content);
}

/** Other content with the hash recomputed everywhere, as a forger would who knows the rule but not the key. */
function rehashed(document: ExportDocument, content: string): ExportDocument {
  const hash = `sha256:${recordHash({ ...document.record, content })}`;
  const copy = altered(withContent(document, content), 'evidence.chain.hash', hash);
  return altered(copy, 'verification.chainHash', hash);
}

/** Content, hash and readable part changed together. */
function rewritten(document: ExportDocument): ExportDocument {
  const copy = rehashed(document, document.record.content!.replaceAll('Ben Okafor', 'Mallory'));
  const renamed = altered(copy, 'evidence.approval.approver.name', 'Mallory');
  return altered(renamed, 'evidence.approvals.1.approver.name', 'Mallory');
}

/** The same data under a text that is not canonical, so that two readers might see two things. */
function uncanonical(document: ExportDocument): ExportDocument {
  return rehashed(document, `{"approvals":[],${document.record.content!.slice(1)}`);
}

function resealed(document: ExportDocument, part: object): ExportDocument {
  return rehashed(document, canonicalJson({ ...JSON.parse(document.record.content!), ...part }));
}

/** A place in the chain that the document states consistently, but that its predecessor belies. */
function moved(document: ExportDocument, index: number): ExportDocument {
  return altered(altered(document, 'evidence.chain.index', index), 'verification.chainIndex', index);
}

export async function falsifiedExports(): Promise<Record<string, Falsification>> {
  const {
    decision,
    platform,
    'decision-genesis': genesis,
    'decision-withheld': withheld,
  } = await genuineExports();
  const found: Record<string, Falsification> = {};
  const kinds: [string, ExportDocument, [Path, unknown, ...StepName[]][]][] = [
    ['decision', decision, DECISION_FIELDS],
    ['platform', platform, PLATFORM_FIELDS],
    ['genesis', genesis, GENESIS_FIELDS],
  ];
  for (const [kind, document, fields] of kinds) {
    for (const [path, value, ...fails] of fields) {
      const name = nameOf(kind, path, (candidate) => candidate in found);
      found[name] = { document: altered(document, path, value), fails };
    }
  }

  const checkpoint = decision.inclusion!.checkpoint;
  const edited = (from: string | RegExp, to: string) =>
    altered(decision, 'inclusion.checkpoint', checkpoint.replace(from, to));
  const swapped = canonicalJson({ ...JSON.parse(decision.record.content!), policy: undefined });
  return {
    ...found,
    'decision-content-edited': {
      document: withContent(decision, decision.record.content!.replace('4254', '4255')),
      fails: ['hash', 'content'],
    },
    'decision-content-shortened': { document: withContent(decision, swapped), fails: ['hash', 'content'] },
    'decision-content-not-json': { document: withContent(decision, 'refund'), fails: ['hash', 'content'] },
    'decision-content-uncanonical': { document: uncanonical(decision), fails: ['content', 'inclusion'] },
    'decision-content-unapproved': {
      document: resealed(decision, { approvals: [] }),
      fails: ['content', 'inclusion'],
    },
    'decision-content-without-event': {
      document: resealed(decision, { event: undefined }),
      fails: ['content', 'inclusion'],
    },
    'decision-moved-to-the-start': { document: moved(decision, 0), fails: ['link', 'inclusion'] },
    'genesis-moved-on': { document: moved(genesis, 1), fails: ['link', 'inclusion'] },
    'decision-rewritten-throughout': { document: rewritten(decision), fails: ['inclusion'] },
    'decision-withheld-other-hash': {
      document: altered(withheld, 'evidence.chain.hash', PREFIXED),
      fails: ['hash', 'inclusion'],
    },
    'checkpoint-origin': { document: edited('proof.example', 'prove.example'), fails: ['signature'] },
    'checkpoint-domain': { document: edited('/proof\n', '/audit\n'), fails: ['inclusion', 'signature'] },
    'checkpoint-size': { document: edited('\n11\n', '\n12\n'), fails: ['inclusion', 'signature'] },
    'checkpoint-root': { document: edited(/\n11\n./, '\n11\n+'), fails: ['inclusion', 'signature'] },
    'checkpoint-signature': { document: edited(/[^\n]{12}\n$/, 'AAAAAAAAAA==\n'), fails: ['signature'] },
    'checkpoint-unsigned': { document: edited(/\n\n[\s\S]*$/, '\n'), fails: ['inclusion', 'signature'] },
    'checkpoint-of-another-chain': {
      document: { ...decision, ...(await otherChainsInclusion()) },
      fails: ['inclusion'],
    },
    'checkpoint-signed-by-a-stranger': {
      document: { ...decision, ...(await strangersInclusion()) },
      fails: ['signature'],
    },
  };
}
