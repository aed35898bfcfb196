/** Proofs from the journal: rejections, erasures with their entries, and outcomes. */
import { type PlainAuthor, sealAuthor } from '@countersign/proof-kit/author';
import { canonicalJson } from '@countersign/proof-kit/canonical';
import type { OutcomeStatus, PlainEvent, SealedApproval } from '@countersign/proof-kit/decision';
import { sealOutcome } from '@countersign/proof-kit/outcome';
import { type Erased, type ProofDocument, rejectionProof } from '@countersign/proof-kit/proof-document';
import { eventDigest, sealEvent } from '@countersign/proof-kit/sealed-decision';
import { altered } from './alter.ts';
import { approval, event, SERVICE, saltsOf, sealVectorApproval, type VectorApproval } from './decisions.ts';
import {
  attachedAt,
  EXPORTED_AT,
  later,
  newService,
  type Placed,
  passkey,
  place,
  proofOf,
  register,
} from './genuine.ts';
import type { VectorPlace, VectorService } from './service.ts';

const CENTER_ID = 12;
const ADA = '3f0d2b64-6c0e-4a43-9f0e-0d5f2a1b7c11';

interface Rejected {
  event: PlainEvent;
  approval: VectorApproval;
  /** Who ended it, if not the approver. */
  by?: PlainAuthor;
  /** Belongs to another event if the service is dishonest. */
  digest?: string;
}

export interface PlacedRejection {
  id: string;
  place: VectorPlace;
  disclosures: string[];
  registrations: NonNullable<Placed['registrations']>;
}

const bySystem = (id: string, reason: string): VectorApproval =>
  approval(id, {
    approver: { id: 'countersign', type: 'system', name: 'Countersign' },
    by: { kind: 'system' },
    result: 'rejected',
    reason,
  });

export const REJECTIONS: Record<string, Rejected> = {
  'rejection-by-passkey': {
    event: event('rejected'),
    approval: approval('rejected', {
      result: 'rejected',
      reason: 'The session took place.',
      by: { kind: 'passkey', id: ADA },
      signedBy: { passkey },
    }),
  },
  'rejection-expired': { event: event('expired'), approval: bySystem('expired', 'expired') },
  'rejection-withdrawn': {
    event: event('withdrawn'),
    approval: bySystem('withdrawn', 'withdrawn'),
    by: { kind: 'session', id: 'ben@example.test' },
  },
};

export function placeRejection(
  service: VectorService,
  { event: plain, approval: given, by = given.by, digest }: Rejected,
  center = CENTER_ID,
): PlacedRejection {
  const tools = saltsOf(`rejection ${plain.id}`);
  const ofEvent = sealEvent(plain, tools);
  const ownDigest = eventDigest(ofEvent.sealed);
  const ofApproval: { sealed: SealedApproval; disclosures: Record<string, string> } = sealVectorApproval(
    given,
    ownDigest,
    tools,
    SERVICE,
  );
  const author = sealAuthor(by, tools).sealed;
  const content = canonicalJson({
    kind: 'rejected',
    eventId: plain.id,
    eventDigest: digest ?? ownDigest,
    event: ofEvent.sealed,
    approval: ofApproval.sealed,
    by: author,
    ...(author._sd && { _sd_alg: 'sha-256' }),
  });
  return {
    id: plain.id,
    registrations: register(service, { approvals: [given] }),
    disclosures: [...Object.values(ofEvent.disclosures), ...Object.values(ofApproval.disclosures)],
    place: service.append(center, 'journal', content, later(2)),
  };
}

export function proofOfRejection(service: VectorService, rejected: PlacedRejection): ProofDocument {
  const { id, place: at, disclosures, registrations } = rejected;
  const { hash, previousHash, content, timestamp } = service.record(at);
  return rejectionProof({
    schemaUrl: `${service.publicUrl}/schemas`,
    publicUrl: service.publicUrl,
    exportedAt: EXPORTED_AT,
    id: `evd_${id}`,
    chain: { hash, previousHash: previousHash || null, index: at.index, domain: at.domain },
    record: { content, timestamp },
    disclosures,
    registrations: registrations.map(({ place: registered, disclosure }) => ({
      ...attachedAt(service, registered, { head: true }),
      disclosures: [disclosure],
    })),
    ...service.ownState(at),
  });
}

/** A decision of which one member was erased, by the entry on the journal that says so. */
export interface PlacedErasure {
  decision: Placed;
  path: string;
  entry: VectorPlace;
  disclosures: string[];
  confirmedBy: PlainAuthor | undefined;
}

const ERASED_BY = { kind: 'session', id: 'admin@example.test' } as const;
export const CONFIRMED_BY = { kind: 'session', id: 'second@example.test' } as const;
const ERASED_BECAUSE = 'asked by the person';

export function placeErasure(
  service: VectorService,
  id: string,
  confirmedBy?: PlainAuthor,
  path = 'action.input',
  approvals = [approval(id)],
): PlacedErasure {
  const decision = place(service, id, { event: event(id), approvals }, 3);
  const eraser = sealAuthor(ERASED_BY, saltsOf(`erasure ${id}`));
  const confirmer = confirmedBy && sealAuthor(confirmedBy, saltsOf(`confirmation ${id}`));
  const content = {
    kind: 'erased',
    eventId: decision.sealed.content.event.id,
    fields: [path],
    reason: ERASED_BECAUSE,
    by: eraser.sealed,
    ...(confirmer && { confirmedBy: confirmer.sealed }),
    _sd_alg: 'sha-256',
  };
  return {
    decision,
    path,
    entry: service.append(CENTER_ID, 'journal', canonicalJson(content), later(30)),
    disclosures: [eraser.disclosure!, ...(confirmer ? [confirmer.disclosure!] : [])],
    confirmedBy,
  };
}

export function proofOfErasure(
  service: VectorService,
  { decision, path, entry, disclosures, confirmedBy }: PlacedErasure,
  change: Partial<Erased> = {},
): ProofDocument {
  const erased = {
    path,
    at: later(30),
    reason: ERASED_BECAUSE,
    by: ERASED_BY,
    ...(confirmedBy && { confirmedBy }),
    journal: { ...attachedAt(service, entry, { head: true }), disclosures },
    ...change,
  } as Erased;
  return proofOf(service, decision, { withhold: [erased.path], erased: [erased] });
}

export function placeOutcome(
  service: VectorService,
  { sealed, place: { origin } }: Placed,
  status: OutcomeStatus,
  minutes: number,
): NonNullable<Placed['outcome']> {
  const { event: decided, center } = sealed.content;
  const inputDisclosure = sealed.disclosures.get('action.input');
  const outcome = sealOutcome(
    { eventId: decided.id, status, inputDisclosure },
    saltsOf(`outcome ${origin} ${status}`),
  );
  const at = service.append(center.id, 'journal', canonicalJson(outcome.content), later(minutes));
  return { ...outcome, place: at };
}

/** Journal entries that contradict the document, and impossible times. */
export async function journalLies(): Promise<Record<string, ProofDocument>> {
  const service = newService();
  const { approval: given } = REJECTIONS['rejection-by-passkey']!;
  const rejection = placeRejection(service, REJECTIONS['rejection-by-passkey']!);
  const early = placeRejection(service, {
    event: event('early'),
    approval: { ...bySystem('early', 'expired'), approvedAt: '2026-01-31T11:57:00.000Z' },
  });
  const erasure = placeErasure(service, 'erased');
  const confirmed = placeErasure(service, 'confirmed', CONFIRMED_BY);
  const decision = place(
    service,
    'outcome',
    { event: event('outcome'), approvals: [approval('outcome')] },
    4,
  );
  const outcome = placeOutcome(service, decision, 'executed', 3);
  await service.settle();
  const proof = proofOfRejection(service, rejection);
  return {
    'rejection-in-the-name-of-another': altered(proof, 'evidence/approval/approver/name', 'Mallory'),
    'rejection-for-another-reason': altered(proof, 'evidence/approval/reason', `${given.reason} Not.`),
    'rejection-shown-as-approval': altered(proof, 'evidence/approval/result', 'approved'),
    'rejection-of-another-event': await rejectionOfAnotherEvent(),
    'rejection-before-recorded': proofOfRejection(service, early),
    'erased-by-another': proofOfErasure(service, erasure, {
      by: { ...ERASED_BY, id: 'mallory@example.test' },
    }),
    'erased-for-another-reason': proofOfErasure(service, erasure, { reason: 'retention' }),
    'erased-at-another-time': proofOfErasure(service, erasure, { at: later(31) }),
    'erased-another-path-than-journaled': proofOfErasure(service, erasure, { path: 'actor.name' }),
    'erased-confirmed-by-another': proofOfErasure(service, confirmed, {
      confirmedBy: { ...CONFIRMED_BY, id: 'mallory@example.test' },
    }),
    'erased-confirmed-by-nobody': proofOfErasure(service, erasure, { confirmedBy: CONFIRMED_BY }),
    'erased-without-who-confirmed': altered(
      proofOfErasure(service, confirmed),
      'erased/0/confirmedBy',
      undefined,
    ),
    'outcome-before-the-seal': proofOf(service, { ...decision, outcome }),
  };
}

/** The kit exports no such proof, so a dishonest record replaces an honest one. */
async function rejectionOfAnotherEvent(): Promise<ProofDocument> {
  const rejected = REJECTIONS['rejection-expired']!;
  const digest = eventDigest(sealEvent(event('other'), saltsOf('other')).sealed);
  const [honest, lying] = [newService(), newService()];
  const placed = placeRejection(honest, rejected);
  const { place: at } = placeRejection(lying, { ...rejected, digest });
  await Promise.all([honest.settle(), lying.settle()]);
  const { hash, ...record } = lying.record(at);
  const proof = { ...proofOfRejection(honest, placed), record, ...lying.state(at) };
  const chainHash = `sha256:${hash}`;
  return altered(altered(proof, 'evidence/chain/hash', chainHash), 'verification/chainHash', chainHash);
}
