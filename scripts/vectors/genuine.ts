/** Valid proofs of every kind from one installation; they also agree with each other. */

import { canonicalJson } from '@countersign/proof-kit/canonical';
import { decidingChains } from '@countersign/proof-kit/considered';
import type { OutcomeContent } from '@countersign/proof-kit/decision';
import { disclosureDigest, makeDisclosure } from '@countersign/proof-kit/disclosure';
import { sealOutcome } from '@countersign/proof-kit/outcome';
import {
  decisionProof,
  type Erased,
  type ProofDocument,
  type ProofKey,
  type ProofOutcome,
  platformProof,
} from '@countersign/proof-kit/proof-document';
import type { Credential } from '@countersign/proof-kit/shown';
import { passkeyFingerprint } from '@countersign/proof-kit/verify-credentials';
import { noteKeyId } from '@countersign/proof-kit/vkey';
import {
  approval,
  CENTER,
  event,
  OCCURRED_AT,
  SEALED_AT,
  SERVICE,
  type SealedVector,
  saltsOf,
  sealVector,
  textOf,
  type VectorDecision,
} from './decisions.ts';
import { attachedSeats, recordSeats, type SeatRecord } from './groups.ts';
import { type VectorPlace, VectorService, type Witness } from './service.ts';
import { ed25519, ed25519Passkey, p256Passkey, rsaPasskey } from './signers.ts';

const REGISTERED_AT = '2026-01-19T09:00:00.000Z';
export const EXPORTED_AT = '2026-02-01T08:30:00.000Z';

/** A service whose key is being replaced: for a while both keys sign. */
export const serviceSigners = [ed25519(7), ed25519(9)];
export const strangerSigner = ed25519(8);
export const passkey = p256Passkey(31);

export const witnesses: Witness[] = [21, 22, 23].map((seed) => {
  const signer = ed25519(seed);
  return { signer, key: { name: `witness-${seed - 20}.example`, publicKey: signer.publicKey } };
});
export const QUORUM = 2;

/** A decision on its chain. */
export interface Placed {
  id: string;
  sealed: SealedVector;
  place: VectorPlace;
  outcome?: { content: OutcomeContent; disclosure: string | undefined; place: VectorPlace };
  credentials?: (Credential | undefined)[];
  policies?: VectorPlace[] | undefined;
  registrations?: { place: VectorPlace; disclosure: string }[];
  groups?: SeatRecord[];
  delegations?: SeatRecord[];
  /** The proof of the decision that granted its mandate. */
  mandateProof?: ProofDocument;
}

export const newService = (name = SERVICE): VectorService =>
  new VectorService(name, serviceSigners, witnesses.slice(0, QUORUM));

/** Minutes after a time. */
export const later = (minutes: number, time = SEALED_AT): string =>
  new Date(Date.parse(time) + minutes * 60_000).toISOString();

export interface Shown {
  /** Paths as in `SealedVector.disclosures`; `*` for all. */
  withhold?: string[];
  erased?: Erased[];
  without?: ('inclusion' | 'head')[];
  publicKey?: ProofKey;
}

/** The proof of a decision as the service exports it. */
export function proofOf(service: VectorService, placed: Placed, shown: Shown = {}): ProofDocument {
  const { id, sealed, place, credentials, policies, registrations = [], outcome } = placed;
  const { groups = [], delegations = [] } = placed;
  const { withhold = [], erased, without = [] } = shown;
  const record = service.record(place);
  const state = without.includes('inclusion') ? undefined : service.ownState(place);
  const withHead = !without.includes('head');
  const gone = (path: string) =>
    withhold.includes('*') || withhold.includes(path) || withhold.includes(path.replace(/\.\d+\./, '.'));
  const attach = (at: VectorPlace) => attachedAt(service, at, state && { head: withHead });
  return decisionProof({
    schemaUrl: `${service.publicUrl}/schemas`,
    publicUrl: service.publicUrl,
    exportedAt: EXPORTED_AT,
    id: `evd_${id}`,
    chain: {
      hash: record.hash,
      previousHash: record.previousHash || null,
      index: place.index,
      domain: place.domain,
    },
    record,
    disclosures: [...sealed.disclosures].filter(([path]) => !gone(path)).map(([, text]) => text),
    ...(erased && { erased }),
    ...(credentials && { credentials }),
    ...(policies && { policies: policies.map(attach) }),
    groups: attachedSeats(groups, attach, gone('approvals.approver.id')),
    delegations: attachedSeats(delegations, attach, gone('approvals.approver.id')),
    registrations: gone('approvals.signature')
      ? []
      : registrations.map(({ place: at, disclosure }) => ({
          ...attach(at),
          disclosures: gone('approvals.by.id') ? [] : [disclosure],
        })),
    inclusion: state?.inclusion,
    head: without.includes('head') ? undefined : state?.head,
    publicKey: state && (shown.publicKey ?? state.publicKey),
    outcome: outcome && outcomeOf(service, outcome, { isWithheld: gone('outcome.output'), withHead }),
    mandateProof: placed.mandateProof,
  });
}

function outcomeOf(
  service: VectorService,
  { content, disclosure, place }: NonNullable<Placed['outcome']>,
  { isWithheld, withHead }: { isWithheld: boolean; withHead: boolean },
): ProofOutcome {
  const { timestamp } = service.record(place);
  const isShown = disclosure !== undefined && !isWithheld;
  return {
    status: content.status,
    ...(isShown && { output: JSON.parse(Buffer.from(disclosure, 'base64url').toString())[2] }),
    recordedAt: timestamp,
    journalIndex: place.index,
    disclosures: isShown ? [disclosure] : [],
    ...attachedAt(service, place, { head: withHead }),
  };
}

/** A record of another chain, as included in a proof. */
export function attachedAt(service: VectorService, place: VectorPlace, shown: { head: boolean } | undefined) {
  const { content, previousHash, timestamp } = service.record(place);
  const { inclusion, head } = service.state(place);
  return {
    record: { content, previousHash, timestamp },
    ...(shown && { inclusion }),
    ...(shown?.head && { head }),
  };
}

/** The policy under which a decision is sealed, on the journal of the platform. */
function enact(service: VectorService, { asked = {}, quorum = {} }: VectorDecision): VectorPlace {
  const { policyExists: _, quorums: __, ...demands } = asked;
  const content = {
    kind: 'policy',
    policyId: 'pol_baseline',
    version: 3,
    scope: 'GLOBAL',
    name: 'Baseline',
    actionPattern: '*',
    guards: { riskThreshold: 0.8, approverAuthentication: 'ASSERTED', ...demands, ...quorum },
    active: true,
    by: { kind: 'system' },
  };
  return service.append(0, 'journal', canonicalJson(content), REGISTERED_AT);
}

/** The registrations of the passkeys that sign a decision, on the audit chain of the platform. */
export function register(
  service: VectorService,
  { approvals }: Pick<VectorDecision, 'approvals'>,
): NonNullable<Placed['registrations']> {
  return approvals.flatMap(({ id, signedBy, by }) => {
    if (!signedBy || typeof by.id !== 'string') return [];
    const tools = saltsOf(`registration ${id}`);
    const disclosure = makeDisclosure(tools.salt('by.id'), 'id', by.id);
    const facts = makeDisclosure(tools.salt('facts'), 'facts', { name: 'Key' });
    const content = {
      kind: 'passkey',
      change: 'registered',
      fingerprint: passkeyFingerprint(signedBy.passkey.spki),
      by: { _sd: [disclosureDigest(disclosure)] },
      entry: { _sd: [disclosureDigest(facts)] },
      _sd_alg: 'sha-256',
    };
    const { registeredAt = REGISTERED_AT } = signedBy;
    return [{ place: service.append(0, 'audit', canonicalJson(content), registeredAt), disclosure }];
  });
}

export function platformProofOf(
  service: VectorService,
  place: VectorPlace,
  shown: { content?: string | null; erased?: Erased[]; level?: 'DRAFT' | 'DOCUMENTED' | 'AUDIT_READY' } = {},
): ProofDocument {
  const record = service.record(place);
  const { content = record.content, erased, level = 'DOCUMENTED' } = shown;
  const { hash, previousHash, timestamp } = record;
  return platformProof({
    schemaUrl: `${service.publicUrl}/schemas`,
    publicUrl: service.publicUrl,
    exportedAt: EXPORTED_AT,
    id: `dpu_${place.index}`,
    chain: { hash, previousHash: previousHash || null, index: place.index, domain: place.domain },
    record: { content, timestamp },
    evidenceLevel: level,
    ...(erased && { erased }),
    ...service.ownState(place),
  });
}

const AI = {
  type: 'ai_recommendation',
  actor: { id: 'agent-7', type: 'ai_agent', name: 'Refund assistant' },
  aiContext: {
    model: 'judge-3',
    provider: 'local',
    confidence: 0.93,
    reasoning: 'Cancelled two days ahead.',
  },
} as const;

const second = approval('second', {
  approver: { id: 'ada.k@example.test', type: 'human' },
  reason: undefined,
  by: { kind: 'api_key', id: 'key_9' },
  approvedAt: later(-0.5),
});

const signed = (id: string, by: Parameters<typeof approval>[1]) =>
  approval(id, { by: { kind: 'passkey', id: '3f0d2b64-6c0e-4a43-9f0e-0d5f2a1b7c11' }, ...by });

/** The decisions, in the order in which they are sealed. */
export const DECISIONS: Record<string, VectorDecision> = {
  first: { event: event('first'), approvals: [approval('first')] },
  whole: {
    event: event('whole', {
      ...AI,
      action: {
        type: 'refund.grant',
        description: 'Refund a missed session',
        input: { amount: 4250, currency: 'EUR', lines: [[1, 2.5], []], note: null, 'naïve key': 'Grüße 👋' },
        output: { granted: true, fee: 1e-7, most: 1e21 },
      },
      tags: ['refund', 'session'],
      riskScore: 0.31,
    }),
    approvals: [approval('whole')],
    asked: { humanReviewForAi: true, minimumEvidenceLevel: 'DOCUMENTED' },
  },
  dual: {
    event: event('dual'),
    approvals: [approval('dual'), second],
    asked: { dualApproval: true },
  },
  'passkey-p256': {
    event: event('p256', AI),
    approvals: [signed('p256', { signedBy: { passkey } })],
    asked: { humanReviewForAi: true, approverAuthentication: 'SIGNED' },
  },
  'passkey-ed25519': {
    event: event('ed25519'),
    approvals: [signed('ed25519', { reason: undefined, signedBy: { passkey: ed25519Passkey(32) } })],
    asked: { approverAuthentication: 'SIGNED' },
  },
  'passkey-rsa': {
    event: event('rsa'),
    approvals: [signed('rsa', { signedBy: { passkey: rsaPasskey('vectors') } })],
    asked: { approverAuthentication: 'SESSION' },
  },
  autonomous: {
    event: event('autonomous', {
      type: 'agent_execution',
      actor: { id: 'agent-7', type: 'ai_agent' },
      action: { type: 'note.write', input: {} },
      riskScore: 0.8,
    }),
    approvals: [
      approval('autonomous', {
        approver: { id: 'countersign', type: 'system', name: 'Countersign' },
        reason: undefined,
        by: { kind: 'system' },
      }),
    ],
  },
  minimal: {
    event: event('minimal', {
      type: 'custom',
      actor: { id: 'x', type: 'service' },
      action: { type: 'a' },
    }),
    approvals: [
      approval('minimal', {
        approver: { id: 'y', type: 'system' },
        reason: undefined,
        by: { kind: 'api_key', id: 'key_1' },
        approvedAt: OCCURRED_AT,
      }),
    ],
    asked: { riskThreshold: null, approverAuthentication: null },
  },
  risky: {
    event: event('risky', { ...AI, riskScore: 0.97, aiContext: {} }),
    approvals: [approval('risky')],
    asked: { riskThreshold: 0.25 },
  },
  unrated: {
    event: event('unrated'),
    approvals: [approval('unrated')],
    asked: { riskThreshold: 0, riskRequired: true },
  },
  executed: { event: event('executed', AI), approvals: [approval('executed')] },
  failed: { event: event('failed'), approvals: [approval('failed')] },
  opaque: {
    event: event('opaque', {
      action: {
        type: 'Ω — any text',
        description: 'Line one\nline two\ttab "quoted" \\ \u2028 \u{1f9ff}',
        input: {
          _sd: ['means nothing here'],
          '...': 'nor this',
          __proto__x: 1,
          constructor: null,
          numbers: [0, -1, 0.1, 1e-7, 1.5e300, 9007199254740991, 123456789012345680000, 5e-324],
          '\u20ac': 1,
          '\r': 2,
          '\ufb33': 3,
          '1': 4,
          '\u{1f600}': 5,
          '\u0080': 6,
          ö: 7,
        },
      },
      tags: [],
    }),
    approvals: [approval('opaque', { reason: '' })],
  },
};

const TEXTS = [
  'Attendance of session 0 confirmed.',
  'Attendance of session 1 confirmed; "quoted", Übung, 👍\n',
  '{"@context":"no context","text":"JSON that is only text"}',
  '',
  canonicalJson({ kind: 'decision', event: { type: 'human_approval' } }),
];

export interface World {
  service: VectorService;
  decisions: Record<string, Placed>;
  platform: VectorPlace[];
}

export function place(
  service: VectorService,
  name: string,
  decision: VectorDecision,
  minutes: number,
): Placed {
  const policies = [enact(service, decision)];
  const registrations = register(service, decision);
  const seats = recordSeats(service, decision);
  const { center = CENTER, approvals } = decision;
  const chains = decidingChains({ service: service.name, center, approvals });
  const journals = Object.values(chains)
    .filter((origin) => origin !== null)
    .sort()
    .map((origin) => ({ origin, size: service.size(origin) }));
  const sealed = sealVector({ journals, ...decision });
  const place = service.append(center.id, 'proof', textOf(sealed.content), later(minutes));
  return { id: name, sealed, policies, registrations, ...seats, place };
}

/** Everything on its chains, not yet signed. */
export function buildWorld(): World {
  const service = newService();
  const decisions: Record<string, Placed> = {};
  Object.entries(DECISIONS).forEach(([name, decision], i) => {
    decisions[name] = place(service, name, decision, i);
  });
  decisions['only'] = place(
    service,
    'only',
    { event: event('only'), approvals: [approval('only')], center: { id: 13, domain: 'demo-school' } },
    0,
  );
  decisions['spelled'] = spelled(service);
  decisions['passkey-p256']!.credentials = [
    { chain: `${SERVICE}/chains/0/audit`, index: 5, hash: `sha256:${'5a'.repeat(32)}` },
  ];
  service.append(12, 'journal', canonicalJson({ kind: 'recorded', eventId: 'evt_first' }), later(0));
  for (const [i, name] of ['executed', 'failed'].entries()) {
    const { sealed } = decisions[name]!;
    const outcome = sealOutcome(
      {
        eventId: sealed.content.event.id,
        status: name as 'executed' | 'failed',
        inputDisclosure: sealed.disclosures.get('action.input'),
        output: name === 'executed' ? { transfer: 'tr_1', cents: 4250 } : undefined,
      },
      saltsOf(`outcome ${name}`),
    );
    const at = service.append(12, 'journal', canonicalJson(outcome.content), later(120 + i));
    decisions[name]!.outcome = { ...outcome, place: at };
  }
  const platform = TEXTS.map((text, i) => service.append(12, 'platform', text, later(i)));
  return { service, decisions, platform };
}

/** A decision whose disclosures are serialized differently from ours: their text is what counts. */
function spelled(service: VectorService): Placed {
  const decision = { event: event('spelled'), approvals: [approval('spelled')] };
  const sealed = sealVector(decision);
  const { actor } = sealed.content.event;
  const respelled = [...sealed.disclosures].map(([path, text]) => {
    if (!path.startsWith('actor.')) return [path, text] as const;
    const [salt, name, value] = JSON.parse(Buffer.from(text, 'base64url').toString()) as string[];
    const json = `[ "${salt}",\n"${name}" , "${value!.replace('B', '\\u0042')}"]`;
    return [path, makeDisclosure('', '', '', () => Buffer.from(json).toString('base64url'))] as const;
  });
  actor._sd = respelled
    .filter(([path]) => path.startsWith('actor.'))
    .map(([, text]) => disclosureDigest(text))
    .sort();
  return {
    id: 'spelled',
    sealed: { ...sealed, disclosures: new Map(respelled) },
    policies: [enact(service, decision)],
    place: service.append(12, 'proof', textOf(sealed.content), later(60)),
  };
}

export async function genuineProofs(world: World): Promise<Record<string, ProofDocument>> {
  const { service, decisions, platform } = world;
  const proofs: Record<string, ProofDocument> = {};
  await service.settle();
  proofs['decision-older-head'] = proofOf(service, decisions['first']!);
  // The log and one of the chains keep growing.
  service.append(12, 'platform', 'Attendance of session 5 confirmed.', later(90));
  await service.settle();
  for (const [name, placed] of Object.entries(decisions))
    proofs[`decision-${name}`] = proofOf(service, placed);
  const [, newKey] = serviceSigners;
  const key = { name: SERVICE, publicKey: newKey!.publicKey };
  proofs['decision-new-key'] = proofOf(service, decisions['whole']!, {
    publicKey: {
      keyId: noteKeyId(key),
      name: SERVICE,
      publicKey: Buffer.from(key.publicKey).toString('base64'),
    },
  });
  platform.forEach((at, i) => {
    proofs[`platform-${i}`] = platformProofOf(service, at, {
      level: (['DRAFT', 'DOCUMENTED', 'AUDIT_READY'] as const)[i % 3]!,
    });
  });
  return proofs;
}

/** Proofs without faults in which something is missing. */
export function partialProofs({ service, decisions, platform }: World): Record<string, ProofDocument> {
  const whole = decisions['whole']!;
  const erased = (path: string, reason: string | null = 'asked by the person'): Erased => ({
    path,
    at: '2026-01-31T20:00:00.000Z',
    reason,
  });
  const cosignedOnce = proofOf(service, whole);
  const lines = cosignedOnce.head!.checkpoint.split('\n');
  cosignedOnce.head!.checkpoint = [...lines.slice(0, -2), ''].join('\n');
  return {
    'decision-nothing-disclosed': proofOf(service, whole, { withhold: ['*'] }),
    'decision-input-withheld': proofOf(service, whole, { withhold: ['action.input'] }),
    'decision-person-withheld': proofOf(service, decisions['dual']!, {
      withhold: ['approvals.approver.id', 'approvals.approver.name', 'approvals.by.id'],
    }),
    'decision-signature-withheld': proofOf(service, decisions['passkey-p256']!, {
      withhold: ['approvals.signature'],
    }),
    'decision-risk-withheld': proofOf(service, decisions['risky']!, { withhold: ['riskScore'] }),
    'decision-input-erased': proofOf(service, whole, {
      withhold: ['action.input'],
      erased: [erased('action.input')],
    }),
    'decision-all-erased': proofOf(service, decisions['dual']!, {
      withhold: ['*'],
      erased: [
        'decisionId',
        'actor.id',
        'actor.name',
        'action.description',
        'action.input',
        'approvals.reason',
        'approvals.approver.id',
        'approvals.approver.name',
        'approvals.by.id',
      ].map((path) => erased(path, null)),
    }),
    'decision-erased-and-withheld': proofOf(service, whole, {
      withhold: ['action.input', 'action.output', 'tags'],
      erased: [erased('action.output')],
    }),
    'decision-without-inclusion': proofOf(service, whole, { without: ['inclusion'] }),
    'decision-without-head': proofOf(service, whole, { without: ['head'] }),
    'decision-without-policies': proofOf(service, { ...whole, policies: undefined }),
    'decision-without-registration': proofOf(service, { ...decisions['passkey-p256']!, registrations: [] }),
    'decision-one-witness': cosignedOnce,
    'decision-output-withheld': proofOf(service, decisions['executed']!, { withhold: ['outcome.output'] }),
    'decision-output-erased': proofOf(service, decisions['executed']!, {
      withhold: ['action.input', 'outcome.output'],
      erased: [erased('action.input'), erased('outcome.output')],
    }),
    'platform-withheld': platformProofOf(service, platform[1]!, { content: null }),
    'platform-erased': platformProofOf(service, platform[1]!, { content: '', erased: [erased('content')] }),
  };
}
