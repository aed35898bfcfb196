/** Whether a proof's record has the right hash and place, and whether the proof shows what the record says. */
import { NO_CENTER } from './checkpoint.ts';
import { DISCLOSABLE_PATHS } from './decision.ts';
import { firstDifference } from './difference.ts';
import {
  type DisclosedDecision,
  type DisclosedRejection,
  disclose,
  discloseRejection,
  type ShownApproval,
} from './disclose.ts';
import { index, isObject, objectOf, prefixedHash, text } from './form.ts';
import type {
  DecisionProofEvidence,
  Erased,
  PlatformProofEvidence,
  ProofDocument,
  RejectionProofEvidence,
} from './proof-document.ts';
import { HASH_PREFIX, recordHash } from './record.ts';
import { Refutation, type Withheld } from './sealed-content.ts';
import { type Credential, type SealedPlace, showDecision, showRejection } from './shown.ts';

export const isErased = ({ erased = [] }: ProofDocument): boolean =>
  erased.some(({ path }) => path === 'content');

/** Whether the hash could be computed: not if the content is withheld or erased. */
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

/** A URL of a service: host, then segments. ASCII only, so that every verifier splits it the same way. */
const ADDRESS = /^https?:\/\/([A-Za-z0-9._~:[\]-]{1,255})((?:\/[!-"$-.0->@-~]+)*)$/;

/** The service that owns this record URL; throws for any other URL. */
export function serviceOfUrl({ verification: { verifyUrl } }: ProofDocument, id: string): string {
  const end = `/verify/${encodeURIComponent(id)}`;
  const start = verifyUrl.endsWith(end) ? ADDRESS.exec(verifyUrl.slice(0, -end.length)) : null;
  if (start === null) throw new Refutation('verification.verifyUrl is not the address of this record');
  return start[1]!;
}

/** The URLs of the record and of the schema must belong to the service. */
function checkAddresses(document: ProofDocument, service: string, id: string): void {
  if (serviceOfUrl(document, id) !== service)
    throw new Refutation('verification.verifyUrl is not the address of this record');
  const end = '/decision-proof/v2';
  const context = document['@context'];
  const schema = context.endsWith(end) ? ADDRESS.exec(context.slice(0, -end.length)) : null;
  if (schema?.[1] !== service)
    throw new Refutation(`@context is not the address of the schema of ${service}`);
}

const credentialForm = objectOf({ chain: text, index, hash: prefixedHash });

/** Where passkeys were registered, according to the proof: a label, compared with `credentials` later. */
function credentialsOf(
  shownApprovals: readonly unknown[],
  approvals: readonly ShownApproval[],
  service: string,
  pathOf: (i: number) => string,
): (Credential | undefined)[] {
  return approvals.map(({ by }, i) => {
    const shown = shownApprovals[i];
    if (!isObject(shown) || !Object.hasOwn(shown, 'credential')) return undefined;
    const path = `${pathOf(i)}.credential`;
    const found = credentialForm(shown['credential'], path);
    if (found !== null) throw new Refutation(found);
    const credential = shown['credential'] as unknown as Credential;
    if (by.kind !== 'passkey' || credential.chain !== `${service}/chains/${NO_CENTER}/audit`)
      throw new Refutation(`${path} is not the place of a passkey on the audit chain of ${service}`);
    return credential;
  });
}

/** Rebuilds the readable part and compares: nothing may be shown that was not sealed, and nothing disclosed may be omitted. */
export function checkShownDecision(
  document: ProofDocument,
  evidence: DecisionProofEvidence,
): DisclosedDecision {
  const { record, disclosures = [] } = document;
  const decision = disclose(record.content!, disclosures);
  const { service } = decision.content;
  checkAddresses(document, service, decision.event.id);
  const credentials = credentialsOf(
    evidence.approvals,
    decision.approvals,
    service,
    (i) => `evidence.approvals[${i}]`,
  );
  compareShown(evidence, showDecision(decision, placeOf(document), credentials));
  checkErasedPaths(document, decision.withheld);
  return decision;
}

/** The same for a decision that was not approved. */
export function checkShownRejection(
  document: ProofDocument,
  evidence: RejectionProofEvidence,
): DisclosedRejection & { service: string } {
  const { record, disclosures = [] } = document;
  const rejection = discloseRejection(record.content!, disclosures);
  const service = serviceOfUrl(document, rejection.event.id);
  checkAddresses(document, service, rejection.event.id);
  const path = () => 'evidence.approval';
  const [credential] = credentialsOf([evidence.approval], rejection.approvals, service, path);
  compareShown(evidence, showRejection(rejection, placeOf(document), credential));
  checkErasedPaths(document, rejection.withheld);
  return { ...rejection, service };
}

function placeOf({ verification, evidence, record }: ProofDocument): SealedPlace {
  return {
    verifyUrl: verification.verifyUrl,
    index: evidence.chain.index,
    timestamp: record.timestamp,
  };
}

function compareShown(evidence: DecisionProofEvidence | RejectionProofEvidence, sealed: unknown): void {
  const { id: _, chain: __, ...shown } = evidence;
  const found = firstDifference(shown, sealed, 'evidence');
  if (found !== null) throw new Refutation(found);
}

/** Erasable members besides those of the decision. */
const OUTCOME_PATHS = ['outcome.output', 'outcome.by.id'];

/** What an outcome withholds without erasure; throws if something declared erased is not withheld. */
export function withheldOfOutcome({ erased = [] }: ProofDocument, withheld: readonly string[]): string[] {
  erased.forEach(({ path }, i) => {
    if (OUTCOME_PATHS.includes(path) && !withheld.includes(path))
      throw new Refutation(`erased[${i}].path is not withheld`);
  });
  return withheld.filter((path) => !erased.some((each) => each.path === path));
}

/** Members declared erased must have been sealed and must not be shown. */
function checkErasedPaths({ erased = [], outcome }: ProofDocument, withheld: readonly Withheld[]): void {
  const hidden = new Set(withheld.flatMap(({ certain, possible }) => [...certain, ...possible]));
  // The outcome's own record, which is checked last, shows whether it is withheld.
  if (outcome) for (const path of OUTCOME_PATHS) hidden.add(path);
  const seen = new Set<string>();
  erased.forEach(({ path }, i) => {
    if (!(outcome && OUTCOME_PATHS.includes(path)) && !DISCLOSABLE_PATHS.includes(path))
      throw new Refutation(`erased[${i}].path is unknown`);
    if (seen.has(path)) throw new Refutation(`erased[${i}].path is there twice`);
    if (!hidden.has(path)) throw new Refutation(`erased[${i}].path is not withheld`);
    seen.add(path);
  });
  for (const { count, certain, possible } of withheld)
    if ([...certain, ...possible].filter((path) => seen.has(path)).length > count)
      throw new Refutation('more is said to be erased than was sealed');
}

/** What is withheld but not erased. */
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
  checkAddresses(document, serviceOfUrl(document, evidence.id), evidence.id);
  if (erased.some(({ path }) => path !== 'content')) throw new Refutation('erased[0].path is unknown');
  if (erased.length > 1) throw new Refutation('erased[1].path is there twice');
  if (erased[0]?.at !== evidence.erasedAt) throw new Refutation('evidence.erasedAt and erased do not fit');
  if (erased.length > 0 && content !== '') throw new Refutation('erased[0].path is not withheld');
}
