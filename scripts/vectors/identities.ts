/** Approvals in sessions from a company's identity provider. */
import type { PlainApproval } from '@countersign/proof-kit/decision';
import type { ProofDocument } from '@countersign/proof-kit/proof-document';
import { altered } from './alter.ts';
import { APPROVED_AT, approval, event, type VectorApproval, type VectorDecision } from './decisions.ts';
import { later, newService, passkey, place, proofOf } from './genuine.ts';
import { placeErasure, placeRejection, proofOfErasure, proofOfRejection } from './journal.ts';
import type { VectorService } from './service.ts';

type Proofs = Record<string, ProofDocument>;
type Identity = NonNullable<PlainApproval['by']['identity']>;

const PATH = 'approvals.by.identity';
const ADA: Identity = { issuer: 'https://login.example', subject: 'ada-7f3c' };
const CLEO: Identity = { issuer: 'https://login.example', subject: 'cleo-91d2' };

/** An approval by a person whom the provider signed in. */
function through(identity: Identity, person: string, change: Partial<VectorApproval> = {}): VectorApproval {
  const id = `${person}@example.test`;
  return approval(person, {
    approver: { id, type: 'human', name: person },
    by: { kind: change.signedBy ? 'passkey' : 'session', id, via: 'oidc', identity },
    ...change,
  });
}

const LAST = { approvedAt: later(-0.5) };
const two = (id: string, [first, second]: [VectorApproval, VectorApproval]): VectorDecision => ({
  event: event(id),
  approvals: [first, second],
  asked: { dualApproval: true },
});
const ONE_IDENTITY: [VectorApproval, VectorApproval] = [through(ADA, 'ada'), through(ADA, 'cleo', LAST)];

const GENUINE: Record<string, VectorDecision> = {
  'signed-in-through-a-provider': { event: event('through'), approvals: [through(ADA, 'ada')] },
  'signed-in-through-a-provider-with-a-passkey': two('through_two', [
    through(ADA, 'ada', { signedBy: { passkey }, approvedAt: APPROVED_AT }),
    through(CLEO, 'cleo', LAST),
  ]),
  'signed-in-through-a-provider-and-with-a-password': two('through_one', [
    through(ADA, 'ada'),
    approval('cleo', LAST),
  ]),
  'subjects-that-differ-in-case': two('case', [
    through(ADA, 'ada'),
    through({ ...ADA, subject: ADA.subject.toUpperCase() }, 'cleo', LAST),
  ]),
  'one-subject-at-two-providers': two('issuers', [
    through(ADA, 'ada'),
    through({ ...ADA, issuer: `${ADA.issuer}/` }, 'cleo', LAST),
  ]),
};

/** On the chains of the other genuine proofs. */
export async function proofsOfProviders(
  service: VectorService,
): Promise<{ genuine: Proofs; partial: Proofs }> {
  const placed = Object.entries(GENUINE).map(
    ([name, decision]) => [name, place(service, name, decision, 4)] as const,
  );
  const rejection = placeRejection(service, {
    event: event('through_rejected'),
    approval: through(ADA, 'ada', { result: 'rejected', reason: 'The session took place.' }),
    by: { kind: 'session', id: 'ada@example.test' },
  });
  const erasure = placeErasure(service, 'through_erased', undefined, PATH, [through(ADA, 'ada')]);
  const twice = place(service, 'through_twice', two('through_twice', ONE_IDENTITY), 4);
  await service.settle();
  const [[, first]] = placed as [(typeof placed)[number]];
  return {
    genuine: {
      ...Object.fromEntries(placed.map(([name, each]) => [name, proofOf(service, each)])),
      'rejection-through-a-provider': proofOfRejection(service, rejection),
    },
    partial: {
      'identity-withheld': proofOf(service, first, { withhold: [PATH] }),
      'identity-erased': proofOfErasure(service, erasure),
      // Only someone who sees both can tell.
      'one-identity-twice-and-one-withheld': proofOf(service, twice, {
        withhold: ['approvals.1.by.identity'],
      }),
      'one-identity-twice-and-withheld': proofOf(service, twice, { withhold: [PATH] }),
    },
  };
}

const bySession = (by: object): VectorApproval =>
  approval('ada', {
    by: { kind: 'session', id: approval('ada').approver.id, ...by } as VectorApproval['by'],
  });
const single = (id: string, given: VectorApproval): VectorDecision => ({
  event: event(id),
  approvals: [given],
});

const BROKEN_RULES: Record<string, VectorDecision> = {
  'one-identity-twice': two('lie', ONE_IDENTITY),
  'one-identity-twice-with-a-passkey': two('lie', [
    through(ADA, 'ada', { signedBy: { passkey } }),
    through(ADA, 'cleo', LAST),
  ]),
  'provider-of-an-api-key': single(
    'lie',
    approval('ada', { by: { kind: 'api_key', id: 'key_1', via: 'oidc', identity: ADA } }),
  ),
};

/** What no service of this format seals. */
const WRONG_FORMS: Record<string, object> = {
  'identity-without-a-provider': { identity: ADA },
  'provider-without-an-identity': { via: 'oidc' },
  'provider-of-another-kind': { via: 'saml', identity: ADA },
  'identity-without-a-subject': { via: 'oidc', identity: { issuer: ADA.issuer } },
  'identity-with-an-address': { via: 'oidc', identity: { ...ADA, email: 'ada@example.test' } },
  'identity-that-is-a-list': { via: 'oidc', identity: [ADA.issuer, ADA.subject] },
};

/** Each on chains of its own. */
export async function liesAboutProviders(): Promise<Proofs> {
  const proofs: Proofs = {};
  for (const [name, decision] of Object.entries(BROKEN_RULES)) {
    const service = newService();
    const placed = place(service, name, decision, 3);
    await service.settle();
    proofs[name] = proofOf(service, placed);
  }
  for (const [name, by] of Object.entries(WRONG_FORMS)) proofs[name] = await withWrongForm(name, by);
  return proofs;
}

/** The kit exports no such proof, so a dishonest record replaces an honest one. */
async function withWrongForm(name: string, by: object): Promise<ProofDocument> {
  const [honest, lying] = [newService(), newService()];
  const placed = place(honest, name, single('lie', through(ADA, 'ada')), 3);
  const { place: at, sealed } = place(lying, name, single('lie', bySession(by)), 3);
  await Promise.all([honest.settle(), lying.settle()]);
  const { hash, ...record } = lying.record(at);
  const disclosures = [...sealed.disclosures.values()];
  const proof = { ...proofOf(honest, placed), record, disclosures, ...lying.state(at) };
  const chainHash = `sha256:${hash}`;
  return altered(altered(proof, 'evidence/chain/hash', chainHash), 'verification/chainHash', chainHash);
}
