/** What a seal says about the policies and the journals that decided, and lies about them. */
import type { ProofDocument } from '@countersign/proof-kit/proof-document';
import { approval, event, SERVICE, type VectorDecision } from './decisions.ts';
import { attachedAt, newService, passkey, place, proofOf } from './genuine.ts';
import type { VectorService } from './service.ts';

type Proofs = Record<string, ProofDocument>;

const own = { origin: `${SERVICE}/chains/12/journal`, size: 0 };
const platform = { origin: `${SERVICE}/chains/0/journal`, size: 1 };
const audit = { origin: `${SERVICE}/chains/0/audit`, size: 1 };
const baseline = { id: 'pol_baseline', version: 3 };
const byPasskey = approval('signed', {
  by: { kind: 'passkey', id: '3f0d2b64-6c0e-4a43-9f0e-0d5f2a1b7c11' },
  signedBy: { passkey },
});

const LIES: Record<string, Partial<VectorDecision>> = {
  'journals-without-the-platform': { journals: [audit, own] },
  'journals-without-the-passkeys': { approvals: [byPasskey], journals: [platform, own] },
  'journals-with-a-chain-that-does-not-decide': { journals: [audit, platform, own] },
  'journals-of-another-center': { journals: [platform, { ...own, origin: `${SERVICE}/chains/13/journal` }] },
  'policy-newer-than-the-journals': { journals: [{ ...platform, size: 0 }, own] },
  'passkey-newer-than-the-journals': {
    approvals: [byPasskey],
    journals: [{ ...audit, size: 0 }, platform, own],
  },
  'considered-another-version': { considered: [{ ...baseline, version: 2 }] },
};

async function proofAfter(settle: (service: VectorService) => ProofDocument | (() => ProofDocument)) {
  const service = newService();
  const made = settle(service);
  await service.settle();
  return typeof made === 'function' ? made() : made;
}

const decision = (lie: Partial<VectorDecision>): VectorDecision => ({
  event: event('considered'),
  approvals: [approval('considered')],
  ...lie,
});

/** A policy of the center, which demands two approvals, on its journal. */
const strict = (active: boolean) => ({
  kind: 'policy',
  policyId: 'pol_strict',
  version: 1,
  scope: 'CENTER',
  name: 'Strict',
  actionPattern: 'refund.*',
  guards: { dualApproval: true },
  active,
  by: { kind: 'system' },
});

/** The center has another policy; `considered` decides whether the seal names it. */
const withStrict = (considered: boolean, isActive = true) =>
  proofAfter((service) => {
    const at = service.appendJson(12, 'journal', strict(isActive), '2026-01-20T09:00:00.000Z');
    const named = considered ? [baseline, { id: 'pol_strict', version: 1 }] : [baseline];
    const placed = place(service, 'strict', decision({ considered: named }), 3);
    return () => {
      const proof = proofOf(service, placed);
      return { ...proof, policies: [...proof.policies!, attachedAt(service, at, { head: true })] };
    };
  });

export async function liesAboutConsidered(): Promise<Proofs> {
  const proofs: Proofs = {};
  for (const [name, lie] of Object.entries(LIES)) {
    proofs[name] = await proofAfter((service) => {
      const placed = place(service, 'considered', decision(lie), 3);
      return () => proofOf(service, placed);
    });
  }
  return {
    ...proofs,
    'considered-a-policy-that-the-guards-ignore': await withStrict(true),
    'considered-an-inactive-policy': await withStrict(true, false),
    'policy-that-was-not-considered': await withStrict(false),
  };
}

/** As decisions were sealed before format 4. */
export const OLD_DECISION: VectorDecision = {
  event: event('old'),
  approvals: [approval('old')],
  considered: null,
  journals: null,
};
