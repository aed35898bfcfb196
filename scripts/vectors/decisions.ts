/** Plain decisions, sealed as a service does but with fixed salts. */
import { createHash } from 'node:crypto';
import { canonicalJson } from '@countersign/proof-kit/canonical';
import { decidingChains } from '@countersign/proof-kit/considered';
import type {
  JournalSize,
  PlainApproval,
  PlainEvent,
  PolicyVersion,
  SealedApproval,
  SealedDecision,
  SealedMandate,
  WebAuthnSignature,
} from '@countersign/proof-kit/decision';
import { type SealTools, saltFrom } from '@countersign/proof-kit/disclosure';
import {
  type Authentication,
  approvalFacts,
  type DecisionFacts,
  evaluateGuards,
  isMandateGrant,
  type Requirements,
} from '@countersign/proof-kit/guards';
import { type QuorumDemands, quorumOf } from '@countersign/proof-kit/quorum';
import {
  approvalChallenge,
  completeApproval,
  decisionContent,
  eventDigest,
  type SealedPart,
  sealApproval,
  sealEvent,
} from '@countersign/proof-kit/sealed-decision';
import { relyingParty } from '@countersign/proof-kit/webauthn';
import type { Passkey } from './signers.ts';

export const SERVICE = 'proof.example';
export const CENTER = { id: 12, domain: 'demo-rehab' };
export const OCCURRED_AT = '2026-01-31T11:58:00.250Z';
export const APPROVED_AT = '2026-01-31T11:59:00.000Z';
export const SEALED_AT = '2026-01-31T12:00:00.000Z';

export interface SignedBy {
  passkey: Passkey;
  /** When the passkey was registered, if not long ago. */
  registeredAt?: string;
  /** The origin where the person signed; the service's own unless a vector needs a wrong one. */
  origin?: string;
  rpId?: string;
  flags?: number;
  type?: string;
}

/** An approval, and the passkey that signs it if one does. */
export type VectorApproval = PlainApproval & { approvedAt: string; signedBy?: SignedBy };

/** What a group's record says. */
export interface VectorGroup {
  members: string[];
  /** The members whose disclosures a proof attaches; all but the bystander if left out. */
  shown?: string[];
  deleted?: boolean;
}

export interface VectorDelegation {
  from: string;
  to: string;
  starts: string;
  until: string;
  ended?: string;
}

export interface VectorDecision {
  event: PlainEvent;
  approvals: VectorApproval[];
  asked?: Partial<Requirements>;
  /** The quorum that the policy sets. */
  quorum?: QuorumDemands;
  mandate?: SealedMandate;
  service?: string;
  center?: { id: number; domain: string };
  /** The sizes of the chains that decide; left out, they are large enough. Null as before format 4. */
  journals?: JournalSize[] | null;
  /** The policies that the service says it considered; null as before format 4. */
  considered?: PolicyVersion[] | null;
  /** What the journal says of groups and delegations, if it is not what the approvals need. */
  groups?: Record<string, VectorGroup>;
  delegations?: Record<string, Partial<VectorDelegation>>;
}

export interface SealedVector {
  content: SealedDecision;
  /** By path; those of approvals with their number: `approvals.0.reason`. */
  disclosures: Map<string, string>;
}

export function event(id: string, change: Partial<PlainEvent> = {}): PlainEvent {
  return {
    id: `evt_${id}`,
    decisionId: `dec_${id}`,
    type: 'human_approval',
    actor: { id: 'ben@example.test', type: 'human', name: 'Ben Okafor' },
    action: {
      type: 'refund.grant',
      description: 'Refund a missed session',
      input: { amount: 4250, currency: 'EUR' },
    },
    occurredAt: OCCURRED_AT,
    ...change,
  };
}

export function approval(id: string, change: Partial<VectorApproval> = {}): VectorApproval {
  const person = change.approver?.id ?? '3f0d2b64-6c0e-4a43-9f0e-0d5f2a1b7c11';
  return {
    id: `apr_${id}`,
    approver: { id: person, type: 'human', name: 'Ada Keller' },
    result: 'approved',
    reason: 'Within policy.',
    by: { kind: 'session', id: person },
    approvedAt: APPROVED_AT,
    ...change,
  };
}

/** Salts derived from the decision and the path. */
export function saltsOf(name: string): SealTools {
  let count = 0;
  return {
    salt: (path) =>
      saltFrom(createHash('sha256').update(`${name} ${path} ${count++}`).digest().subarray(0, 16)),
  };
}

export function sealVector(decision: VectorDecision): SealedVector {
  const { event: plain, approvals, asked = {}, service = SERVICE, center = CENTER } = decision;
  const {
    considered = [{ id: 'pol_baseline', version: 3 }],
    journals = ampleJournals({ service, center, approvals }),
  } = decision;
  const tools = saltsOf(plain.id);
  const ofEvent = sealEvent(plain, tools);
  const digest = eventDigest(ofEvent.sealed);
  const ofApprovals = approvals.map((each) => sealVectorApproval(each, digest, tools, service));
  const content = decisionContent({
    service,
    center,
    event: ofEvent.sealed,
    approvals: ofApprovals.map(({ sealed }) => sealed),
    policy: {
      id: 'pol_baseline',
      version: 3,
      guards: guardsOf(decision, asked),
      ...(considered && { considered }),
      ...(journals && { journals }),
    },
    ...(decision.mandate && { mandate: decision.mandate }),
  });
  const disclosures = new Map(Object.entries(ofEvent.disclosures));
  ofApprovals.forEach((each, i) => {
    for (const [path, text] of Object.entries(each.disclosures))
      disclosures.set(path.replace('approvals.', `approvals.${i}.`), text);
  });
  return { content: JSON.parse(content) as SealedDecision, disclosures };
}

/** Sizes that no chain of the vectors reaches. */
const AMPLE = 1000;

function ampleJournals(content: Parameters<typeof decidingChains>[0]): JournalSize[] {
  return Object.values(decidingChains(content))
    .filter((origin) => origin !== null)
    .sort()
    .map((origin) => ({ origin, size: AMPLE }));
}

export function sealVectorApproval(
  { signedBy, approvedAt, ...plain }: VectorApproval,
  digest: string,
  tools: SealTools,
  service: string,
): SealedPart<SealedApproval> {
  if (!signedBy) return sealApproval({ ...plain, approvedAt }, tools);
  const prepared = sealApproval(plain, tools);
  const challenge = approvalChallenge(prepared.sealed, digest);
  return completeApproval(prepared, { approvedAt, signature: signWith(signedBy, challenge, service) }, tools);
}

function signWith(by: SignedBy, challenge: Uint8Array, service: string): WebAuthnSignature {
  const {
    passkey,
    origin = `https://${service}`,
    rpId = relyingParty(service),
    flags = 0x05,
    type = 'webauthn.get',
  } = by;
  const clientData = Buffer.from(
    JSON.stringify({
      type,
      challenge: Buffer.from(challenge).toString('base64url'),
      origin,
      crossOrigin: false,
    }),
  );
  const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();
  const authenticatorData = Buffer.concat([sha256(rpId), Buffer.of(flags, 0, 0, 0, 9)]);
  const signature = passkey.sign(Buffer.concat([authenticatorData, sha256(clientData)]));
  const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
  return {
    type: 'webauthn',
    credentialId: encode(sha256(passkey.spki).subarray(0, 20)),
    publicKey: encode(passkey.spki),
    authenticatorData: encode(authenticatorData),
    clientDataJSON: encode(clientData),
    signature: encode(signature),
  };
}

/** The service's own evaluation; a forged decision keeps the texts that suit it. */
function guardsOf(decision: VectorDecision, asked: Partial<Requirements>) {
  const { event: plain, approvals, mandate } = decision;
  const quorum = quorumOf(decision.quorum ?? {});
  const facts: DecisionFacts = {
    eventType: plain.type,
    actorId: plain.actor.id,
    actorType: plain.actor.type,
    hasAiContext: plain.aiContext !== undefined && plain.aiContext !== null,
    riskScore: plain.riskScore ?? null,
    evidenceLevel: 'AUDIT_READY',
    occurredAt: plain.occurredAt,
    approvals: approvals.map(approvalFacts),
    underMandate: mandate !== undefined,
    grantsMandate: isMandateGrant(plain.type, plain.action.type),
  };
  const baseline = {
    policyExists: true,
    riskThreshold: 0.8,
    approverAuthentication: 'ASSERTED' as Authentication,
    ...(quorum && { quorums: [quorum] }),
  };
  // A human approves every grant of a mandate; if no policy requires it, the guard names none.
  const isUnasked = (guard: string) => guard === 'human_review' && !asked.humanReviewForAi;
  return evaluateGuards({ ...baseline, ...asked }, facts).map(({ guard, detail }) => ({
    guard,
    verdict: 'pass',
    detail: detail.replace(/: (?:awaited|rejected)$/, guard === 'quorum' ? ': filled' : ': given'),
    ...(detail !== 'not required' && !isUnasked(guard) && { policy: 'pol_baseline', version: 3 }),
  }));
}

/** The text of a content, optionally changed. */
export function textOf(content: SealedDecision): string {
  return canonicalJson(content);
}
