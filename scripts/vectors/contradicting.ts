/** Proofs that are valid one by one but contradict each other: a service that shows two people two histories. */
import type { ProofDocument } from '@countersign/proof-kit/proof-document';
import { approval, event } from './decisions.ts';
import { later, newService, place, platformProofOf, proofOf } from './genuine.ts';

async function history(reason: string): Promise<{ decision: ProofDocument; record: ProofDocument }> {
  const service = newService();
  const decide = (name: string, because: string) =>
    place(service, name, { event: event(name), approvals: [approval(name, { reason: because })] }, 1);
  const decision = decide('told', reason);
  decide('after', 'Fair.');
  const record = service.append(12, 'platform', 'The same for everybody.', later(0));
  await service.settle();
  return { decision: proofOf(service, decision), record: platformProofOf(service, record) };
}

export async function contradictingProofs(): Promise<Record<string, ProofDocument>> {
  const [one, other] = [await history('Within policy.'), await history('Because I said so.')];
  return {
    'decision-as-told-to-one': one.decision,
    'decision-as-told-to-another': other.decision,
    // Their records are the same; their heads show that the logs differ.
    'record-as-told-to-one': one.record,
    'record-as-told-to-another': other.record,
  };
}
