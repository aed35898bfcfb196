/** Proofs of logs that follow one closed after a loss, and dishonest statements about the end of a log. */
import { formatClosing, parseClosing } from '@countersign/proof-kit/log-closing';
import type { OwnHead, ProofDocument } from '@countersign/proof-kit/proof-document';
import { approval, event, SERVICE } from './decisions.ts';
import {
  attachedAt,
  later,
  newService,
  place,
  platformProofOf,
  proofOf,
  serviceSigners,
  strangerSigner,
} from './genuine.ts';
import type { VectorService } from './service.ts';

type Proofs = Record<string, ProofDocument>;
type Closing = NonNullable<OwnHead['closings']>[number];

const CLOSED_AT = [later(60), later(90)];
const CENTER = { id: 12, domain: 'demo-clinic' };
const PLATFORM = `${SERVICE}/chains/${CENTER.id}/platform`;

const withClosings = (proof: ProofDocument, closings: Closing[] | undefined): ProofDocument => {
  const { closings: _, ...head } = proof.head!;
  return { ...proof, head: { ...head, ...(closings && { closings }) } };
};

/** Closes the log of the genuine proofs twice. The records that are lost are in no proof. */
export async function laterLogs(service: VectorService): Promise<Record<string, Proofs>> {
  const first = platformProofOf(service, { origin: PLATFORM, domain: 'platform', index: 0 });
  const lost = service.append(CENTER.id, 'platform', 'Lost.', later(50));
  await service.settle();
  await service.close('The primary burned down.', [{ origin: PLATFORM, present: lost.index }], CLOSED_AT[0]!);
  service.append(CENTER.id, 'platform', 'In its place.', later(70));
  const decision = place(
    service,
    'second_log',
    { event: event('second_log'), approvals: [approval('second_log')] },
    70,
  );
  await service.settle();
  const inSecond = proofOf(service, decision);
  await service.close('A disk failed: "no copy".\n', [], CLOSED_AT[1]!);
  const record = service.append(CENTER.id, 'platform', 'In the third log.', later(100));
  await service.settle();
  const inThird = platformProofOf(service, record);
  return {
    genuine: { 'log-2-decision': inSecond, 'log-3-record': inThird },
    partial: { 'log-2-without-closings': withClosings(inSecond, undefined) },
    falsified: await altered(service, first, inThird),
  };
}

/** Statements that were changed, left out, added, or signed by another key. */
async function altered(service: VectorService, first: ProofDocument, third: ProofDocument): Promise<Proofs> {
  const [one, two] = third.head!.closings as [Closing, Closing];
  const read = parseClosing(one)!;
  const anotherRoot = formatClosing({ ...read, root: new Uint8Array(32) }).text;
  const signatures = one.note.slice(one.note.indexOf('\n\n') + 1);
  const closed = (...closings: Closing[]) => withClosings(third, closings);
  const { statement } = one;
  const forged = await service.signText(formatClosing(read).text, [strangerSigner]);
  const attached = { ...third.head!, closings: undefined };
  return {
    'closing-of-another-root': closed({ statement, note: anotherRoot + signatures }, two),
    'closing-by-a-foreign-key': closed({ statement, note: forged }, two),
    'closing-with-another-reason': closed({ ...one, statement: { ...statement, reason: 'Nothing.' } }, two),
    'closing-without-its-chains': closed({ ...one, statement: { ...statement, chains: [] } }, two),
    'closing-left-out-at-the-end': closed(one),
    'closing-left-out-at-the-start': closed(two),
    'closing-repeated': closed(one, one),
    'closings-in-another-order': closed(two, one),
    'closing-that-is-a-checkpoint': closed({ statement, note: attached.checkpoint }, two),
    'closing-beyond-the-log': withClosings(first, [one]),
    'closings-empty': closed(),
    'closing-with-more': closed({ ...one, more: true } as Closing, two),
    'closing-with-a-negative-size': closed(
      { ...one, statement: { ...statement, chains: [{ origin: PLATFORM, signed: 1, present: -1 }] } },
      two,
    ),
  };
}

/** A dishonest service: its statement does not fit what it signed in the log that it closed. */
export async function closingLies(): Promise<Proofs> {
  const sealIn = async (lie: (service: VectorService, journal: string) => Promise<void>) => {
    const service = newService();
    const decision = place(service, 'lie', { event: event('lie'), approvals: [approval('lie')] }, 1);
    await service.settle();
    const policies = decision.policies!.map((at) => attachedAt(service, at, { head: true }));
    await lie(service, decision.policies![0]!.origin);
    await service.settle();
    return { service, policies, proof: proofOf(service, decision) };
  };
  const honest = await sealIn((service) => service.close('Lost.', [], later(60)));
  const declared = await sealIn(async (service, journal) => {
    service.declareLost({ origin: journal, signed: 1, present: 0 });
    await service.close('Lost.', [], later(60));
  });
  const read = parseClosing(honest.proof.head!.closings![0]!)!;
  const lie = formatClosing({ ...read, root: new Uint8Array(32).fill(1) });
  const lying = { statement: lie.statement, note: await honest.service.signText(lie.text, serviceSigners) };
  const attachedHead = structuredClone(honest.proof);
  Object.assign(attachedHead.policies![0]!.head!, { closings: honest.proof.head!.closings });
  return {
    'closing-with-a-root-that-the-log-never-had': {
      ...withClosings(honest.proof, [lying]),
      policies: honest.policies,
    },
    'closing-that-declares-an-attached-record-lost': { ...declared.proof, policies: declared.policies },
    'closings-in-an-attached-head': attachedHead,
  };
}

/** One log, closed for two reasons, and a record that one of the statements declares lost. */
export async function contradictingClosings(): Promise<Proofs> {
  const center = 15;
  const origin = `${SERVICE}/chains/${center}/platform`;
  const history = async (reason: string, present: number) => {
    const service = newService();
    for (const text of ['Kept.', 'Lost.']) service.append(center, 'platform', text, later(1));
    for (let round = 0; round < 40; round++) await service.settle();
    const before = platformProofOf(service, { origin, domain: 'platform', index: 1 });
    if (present < 2) service.declareLost({ origin, signed: 2, present });
    await service.close(reason, [], later(60));
    await service.settle();
    return { before, after: platformProofOf(service, { origin, domain: 'platform', index: 0 }) };
  };
  const [one, other] = [await history('A disk failed.', 1), await history('Nothing is lost.', 2)];
  return {
    'record-declared-lost': one.before,
    'log-closed-with-a-loss': one.after,
    'log-closed-without-a-loss': other.after,
  };
}
