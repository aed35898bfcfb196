/** Witnesses whose clocks are wrong: one of three changes nothing, two of them refute. */
import type { ProofDocument } from '@countersign/proof-kit/proof-document';
import { approval, event, SEALED_AT } from './decisions.ts';
import { later, newService, type Placed, place, proofOf, witnesses } from './genuine.ts';
import { placeOutcome } from './journal.ts';
import { COSIGNED_AT, type VectorService, type Witness } from './service.ts';

type Proofs = Record<string, ProofDocument>;

const TEN_MINUTES = 600;
const seconds = (time: string): number => Math.floor(Date.parse(time) / 1000);
/** Before the records of these vectors, by more than clocks may differ. */
const SLOW = seconds(SEALED_AT) - TEN_MINUTES;

/** The witnesses in order, cosigning at these times; undefined for one that did not. */
const at = (...times: (number | undefined)[]): Witness[] =>
  times.flatMap((time, i) => (time === undefined ? [] : [{ ...witnesses[i]!, at: time }]));

const plain = (id: string) => ({ event: event(id), approvals: [approval(id)] });

/** Other cosignatures of the same head, so that these proofs agree with all others of the history. */
export async function clockProofs(
  service: VectorService,
  placed: Placed,
): Promise<{ genuine: Proofs; partial: Proofs }> {
  const cosigned = async (...times: (number | undefined)[]) => {
    await service.cosign(at(...times));
    return proofOf(service, placed);
  };
  const proofs = {
    genuine: {
      'clock-of-one-is-slow': await cosigned(SLOW, COSIGNED_AT + 60, COSIGNED_AT),
      'clock-of-one-is-years-behind': await cosigned(
        COSIGNED_AT,
        seconds('2021-01-01T00:00:00.000Z'),
        COSIGNED_AT + 60,
      ),
      'clock-of-one-is-ahead': await cosigned(COSIGNED_AT, COSIGNED_AT + 86_400, COSIGNED_AT + 60),
    },
    partial: { 'clock-of-one-of-two-is-slow': await cosigned(SLOW, COSIGNED_AT) },
  };
  await service.cosign(witnesses.slice(0, 2));
  return proofs;
}

export async function clockLies(): Promise<Proofs> {
  const service = newService();
  const decided = place(service, 'clocks', plain('clocks'), 0);
  // Far enough behind the seal that a witness can cosign in between.
  const reported = { ...decided, outcome: placeOutcome(service, decided, 'executed', 60) };
  await service.settle();
  const cosigned = async (placed: Placed, ...times: (number | undefined)[]) => {
    await service.cosign(at(...times));
    return proofOf(service, placed);
  };
  const [before, between] = [SLOW, seconds(later(30))];
  return {
    'clocks-of-two-are-slow': await cosigned(decided, before, before + 60, COSIGNED_AT),
    'clocks-of-all-are-slow': await cosigned(decided, before, before, before),
    'clock-of-the-only-witness-is-slow': await cosigned(decided, before),
    'outcome-after-two-witnesses': await cosigned(reported, between, between, COSIGNED_AT),
  };
}

/** The same proof as if one witness had cosigned at any time that was asked for. */
export async function withOneEarlyWitness(
  service: VectorService,
  placed: Placed,
  until: string,
): Promise<ProofDocument> {
  await service.cosign(at(seconds(until) - 3600, COSIGNED_AT, COSIGNED_AT));
  return proofOf(service, placed);
}
