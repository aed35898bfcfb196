/** Whether a proof's record has its hash and its place, and whether what the proof shows is what the record says. */
import { parseOrigin } from './checkpoint.ts';
import { DISCLOSABLE_PATHS } from './decision-form.ts';
import { firstDifference } from './difference.ts';
import { type DisclosedDecision, disclose, Refutation, type Withheld } from './disclose.ts';
import { index, isObject, objectOf, prefixedHash, text } from './form.ts';
import type {
  DecisionProofEvidence,
  Erased,
  PlatformProofEvidence,
  ProofDocument,
} from './proof-document.ts';
import { HASH_PREFIX, recordHash } from './record.ts';
import { type Credential, showDecision } from './shown.ts';

export const isErased = ({ erased = [] }: ProofDocument): boolean =>
  erased.some(({ path }) => path === 'content');

/** Whether the hash could be computed: not where the content is withheld or erased. */
export function checkHash(document: ProofDocument): boolean {
  const { record, evidence, verification } = document;
  if (evidence.chain.hash !== verification.chainHash)
    throw new Refutation('evidence.chain and verification name two hashes');
  if (record.content === null || isErased(document)) return false;
  if (HASH_PREFIX + recordHash({ ...record, content: record.content }) !== evidence.chain.hash)
    throw new Refutation('the content does not give the hash of the record');
  return true;
}

export function checkLink({ record, evidence, verification }: ProofDocument): void {
  const { chain } = evidence;
  if (chain.index !== verification.chainIndex || chain.domain !== verification.chainDomain)
    throw new Refutation('evidence.chain and verification name two places');
  const previous = record.previousHash === '' ? null : HASH_PREFIX + record.previousHash;
  if (chain.previousHash !== previous || verification.previousHash !== previous)
    throw new Refutation('evidence.chain, verification and record name different predecessors');
  if ((previous === null) !== (chain.index === 0))
    throw new Refutation('the first record of a chain, and no other, has no predecessor');
}

/** `{public_url}/verify/{id}`, where the public address has the service as its host. */
function isVerifyUrl(url: string, service: string | null, id: string): boolean {
  const end = `/verify/${encodeURIComponent(id)}`;
  if (!url.endsWith(end)) return false;
  const start = /^https?:\/\/([^/?#\s]+)((?:\/[^/?#\s]+)*)$/.exec(url.slice(0, -end.length));
  return start !== null && (service === null || start[1] === service);
}

export function checkVerifyUrl({ verification }: ProofDocument, service: string | null, id: string): void {
  if (!isVerifyUrl(verification.verifyUrl, service, id))
    throw new Refutation('verification.verifyUrl is not the address of this record');
}

const credentialForm = objectOf({ chain: text, index, hash: prefixedHash });

/** Where the proof says that passkeys were registered. It is a pointer: what it points to is not in the proof. */
function credentialsOf(
  { approvals }: DecisionProofEvidence,
  { content }: DisclosedDecision,
): (Credential | undefined)[] {
  return content.approvals.map(({ by }, i) => {
    const shown = approvals[i];
    if (!isObject(shown) || !Object.hasOwn(shown, 'credential')) return undefined;
    const path = `evidence.approvals[${i}].credential`;
    const found = credentialForm(shown['credential'], path);
    if (found !== null) throw new Refutation(found);
    const credential = shown['credential'] as unknown as Credential;
    const origin = parseOrigin(credential.chain);
    if (by.kind !== 'passkey' || origin?.service !== content.service || origin.chain?.domain !== 'audit')
      throw new Refutation(`${path} is not the place of a passkey on an audit chain of ${content.service}`);
    return credential;
  });
}

/** Makes the readable part anew and compares: nothing may be shown that was not sealed, nothing disclosed be left out. */
export function checkShownDecision(
  document: ProofDocument,
  evidence: DecisionProofEvidence,
): DisclosedDecision {
  const { record, disclosures = [], verification } = document;
  const decision = disclose(record.content!, disclosures);
  checkVerifyUrl(document, decision.content.service, decision.event.id);
  const place = {
    verifyUrl: verification.verifyUrl,
    index: evidence.chain.index,
    timestamp: record.timestamp,
  };
  const sealed = showDecision(decision, place, credentialsOf(evidence, decision));
  const { id: _, chain: __, ...shown } = evidence;
  const found = firstDifference(shown, sealed, 'evidence');
  if (found !== null) throw new Refutation(found);
  checkErasedPaths(document, decision.withheld);
  return decision;
}

/** The one member beside those of the decision that can be erased. */
const OUTCOME_OUTPUT = 'outcome.output';

/** Whether the output that an outcome withholds was erased; throws where it is said to be and is not withheld. */
export function isOutputErased({ erased = [] }: ProofDocument, isWithheld: boolean): boolean {
  const place = erased.findIndex(({ path }) => path === OUTCOME_OUTPUT);
  if (place >= 0 && !isWithheld) throw new Refutation(`erased[${place}].path is not withheld`);
  return place >= 0;
}

/** What is said to be erased must have been sealed, and must not be shown. */
function checkErasedPaths({ erased = [], outcome }: ProofDocument, withheld: readonly Withheld[]): void {
  const hidden = new Set(withheld.flatMap(({ certain, possible }) => [...certain, ...possible]));
  // Whether it is withheld is told by the outcome's own record, which is looked at last.
  if (outcome) hidden.add(OUTCOME_OUTPUT);
  const seen = new Set<string>();
  erased.forEach(({ path }, i) => {
    if (path !== OUTCOME_OUTPUT && !DISCLOSABLE_PATHS.includes(path))
      throw new Refutation(`erased[${i}].path is unknown`);
    if (seen.has(path)) throw new Refutation(`erased[${i}].path is there twice`);
    if (!hidden.has(path)) throw new Refutation(`erased[${i}].path is not withheld`);
    seen.add(path);
  });
  for (const { count, certain, possible } of withheld)
    if ([...certain, ...possible].filter((path) => seen.has(path)).length > count)
      throw new Refutation('more is said to be erased than was sealed');
}

/** What is withheld without having been erased. */
export function withoutErased(withheld: readonly Withheld[], erased: readonly Erased[]): Withheld[] {
  const gone = new Set(erased.map(({ path }) => path));
  return withheld.map(({ count, certain, possible }) => {
    const rest = {
      count: count - [...certain, ...possible].filter((path) => gone.has(path)).length,
      certain: certain.filter((path) => !gone.has(path)),
      possible: possible.filter((path) => !gone.has(path)),
    };
    const open = rest.count - rest.certain.length;
    if (open === rest.possible.length)
      return { ...rest, certain: [...rest.certain, ...rest.possible], possible: [] };
    return rest;
  });
}

export function checkShownRecord(document: ProofDocument, evidence: PlatformProofEvidence): void {
  const { record, erased = [], verification } = document;
  const sealed = {
    '@id': verification.verifyUrl,
    decisionId: evidence.id,
    content: record.content,
    createdAt: record.timestamp,
    status: evidence.evidenceLevel === 'AUDIT_READY' ? 'sealed' : 'pending',
    sealedAt: evidence.evidenceLevel === 'AUDIT_READY' ? record.timestamp : null,
  };
  const { '@id': at, decisionId, content, createdAt, status, sealedAt } = evidence;
  const shown = { '@id': at, decisionId, content, createdAt, status, sealedAt };
  const found = firstDifference(shown, sealed, 'evidence');
  if (found !== null) throw new Refutation(found);
  checkVerifyUrl(document, null, evidence.id);
  if (erased.some(({ path }) => path !== 'content')) throw new Refutation('erased[0].path is unknown');
  if (erased.length > 1) throw new Refutation('erased[1].path is there twice');
  if (erased[0]?.at !== evidence.erasedAt) throw new Refutation('evidence.erasedAt and erased do not fit');
  if (erased.length > 0 && content !== '') throw new Refutation('erased[0].path is not withheld');
}
