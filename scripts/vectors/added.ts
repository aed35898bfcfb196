/**
 * Quorums, mandates, rejections, erasures and time limits, on the chains of the other genuine proofs. Their records are
 * appended after those proofs were exported, so that the older vectors do not change.
 */
import type { ProofDocument } from '@countersign/proof-kit/proof-document';
import { clockLies, clockProofs, withOneEarlyWitness } from './clocks.ts';
import { closingLies, laterLogs } from './closings.ts';
import { liesAboutConsidered, OLD_DECISIONS } from './considered.ts';
import { approval, event, SERVICE } from './decisions.ts';
import { later, newService, place, proofOf, type World, witnesses } from './genuine.ts';
import { liesAboutProviders, proofsOfProviders } from './identities.ts';
import {
  CONFIRMED_BY,
  journalLies,
  placeErasure,
  placeOutcome,
  placeRejection,
  proofOfErasure,
  proofOfRejection,
  REJECTIONS,
} from './journal.ts';
import {
  BUDGET_AT_A_PATH,
  CONDITION_MET,
  CONDITION_NOT_MET,
  grantOf,
  placeContradictingUses,
  placeUse,
  proofOfUse,
  TERMS,
  usesOutside,
  WITHIN_LIMITS,
} from './mandates.ts';
import { NAMED_DECISIONS, NAMED_REJECTION } from './names.ts';
import { partialQuorums, QUORUM_DECISIONS, unmetQuorums } from './quorums.ts';
import { VectorService } from './service.ts';
import { ed25519 } from './signers.ts';

type Proofs = Record<string, ProofDocument>;

const retiredSigner = ed25519(10);
/** Retired between the seal and the first cosignature. */
export const RETIRED_KEY = {
  name: SERVICE,
  publicKey: retiredSigner.publicKey,
  until: '2026-01-31T23:00:00.000Z',
};

/** Five minutes after the cosignature, the latest time that a witness allows. */
const LATEST_SEAL = 1205;

const plain = (id: string) => ({ event: event(id), approvals: [approval(id)] });

/** By folder. */
export async function addedProofs({ service }: World): Promise<Record<string, Proofs>> {
  const quorums = Object.entries(QUORUM_DECISIONS).map(
    ([name, decision]) => [name, place(service, name, decision, 3)] as const,
  );
  const rejections = Object.entries(REJECTIONS).map(
    ([name, rejected]) => [name, placeRejection(service, rejected)] as const,
  );
  const within = placeUse(service, 'within', WITHIN_LIMITS);
  const again = placeUse(service, 'again', { use: 2, spent: 8500, after: within.use }, within.grant);
  const atPath = placeUse(service, 'at_path', { ...BUDGET_AT_A_PATH, mandate: 'mnd_path' });
  const [conditionMet, conditionNotMet] = [
    placeUse(service, 'condition_met', { ...CONDITION_MET, mandate: 'mnd_condition' }),
    placeUse(service, 'condition_not_met', { ...CONDITION_NOT_MET, mandate: 'mnd_strict' }),
  ];
  const earlier = [
    placeUse(service, 'of_earlier_terms', { granted: null }),
    placeUse(service, 'of_earlier_use', { previous: null }),
  ] as const;
  const erasure = placeErasure(service, 'erased');
  const confirmed = placeErasure(service, 'confirmed', CONFIRMED_BY);
  const unknown = place(service, 'unknown', plain('unknown'), 4);
  const outcome = placeOutcome(service, unknown, 'unknown', 4);
  const old = Object.entries(OLD_DECISIONS).map(
    ([name, decision]) => [name, place(service, name, decision, 4)] as const,
  );
  const latest = place(service, 'latest', plain('latest'), LATEST_SEAL);
  const named = Object.entries(NAMED_DECISIONS).map(
    ([name, decision]) => [name, place(service, name, decision, 4)] as const,
  );
  const namedRejection = placeRejection(service, NAMED_REJECTION);
  await service.settle();
  const ofClocks = await clockProofs(service, { ...unknown, outcome });
  const own = {
    genuine: {
      ...Object.fromEntries(named.map(([name, placed]) => [name, proofOf(service, placed)])),
      'rejection-named-like-a-verdict': proofOfRejection(service, namedRejection),
      ...ofClocks.genuine,
      ...Object.fromEntries(quorums.map(([name, placed]) => [name, proofOf(service, placed)])),
      ...Object.fromEntries(rejections.map(([name, placed]) => [name, proofOfRejection(service, placed)])),
      'mandate-within-limits': proofOfUse(service, within),
      'mandate-budget-at-a-path': proofOfUse(service, atPath),
      'mandate-second-use': proofOfUse(service, again),
      'outcome-at-the-seal': proofOf(service, { ...unknown, outcome }),
      'sealed-five-minutes-after-a-witness': proofOf(service, latest),
    },
    partial: {
      ...partialQuorums(service, {
        met: Object.fromEntries(quorums)['quorum-met']!,
        delegated: Object.fromEntries(quorums)['quorum-delegated-and-escalated']!,
      }),
      'mandate-without-its-proof': proofOf(service, within.use),
      'mandate-granted-without-its-id': proofOfUse(service, earlier[0]),
      'mandate-use-without-its-predecessor': proofOfUse(service, earlier[1]),
      'erased-with-journal': proofOfErasure(service, erasure),
      ...Object.fromEntries(old.map(([name, placed]) => [name, proofOf(service, placed)])),
      'erased-and-confirmed': proofOfErasure(service, confirmed),
      ...ofClocks.partial,
    },
    conditional: {
      'mandate-condition-met': proofOfUse(service, conditionMet),
      'mandate-condition-not-met': proofOfUse(service, conditionNotMet),
    },
    consistent: await proofsByRetiredKey(),
    falsified: {
      ...(await unmetQuorums()),
      ...(await usesOutside()),
      ...(await journalLies()),
      ...(await liesAboutConsidered()),
      ...(await clockLies()),
      ...(await liesAboutProviders()),
      'sealed-after-a-witness': await sealedLate(),
      ...(await closingLies()),
    },
  };
  const providers = await proofsOfProviders(service);
  // The last ones: no log continues after it was closed.
  const { genuine, partial, falsified } = await laterLogs(service);
  return {
    ...own,
    genuine: { ...own.genuine, ...providers.genuine, ...genuine },
    partial: { ...own.partial, ...providers.partial, ...partial },
    falsified: { ...own.falsified, ...falsified },
  };
}

async function proofsByRetiredKey(): Promise<Proofs> {
  const service = new VectorService(SERVICE, [retiredSigner], witnesses.slice(0, 2));
  const placed = place(service, 'retired', plain('retired'), 1);
  await service.settle();
  return {
    'signed-by-a-retired-key': proofOf(service, placed),
    'signed-by-a-retired-key-and-one-early-witness': await withOneEarlyWitness(
      service,
      placed,
      RETIRED_KEY.until,
    ),
  };
}

async function sealedLate(): Promise<ProofDocument> {
  const service = newService();
  const placed = place(service, 'late', plain('late'), LATEST_SEAL + 1);
  await service.settle();
  return proofOf(service, placed);
}

const PAIRS_CENTER = { id: 14, domain: 'demo-clinic' };

/** Pairs in one log: each is proven alone, and only together do they show that the service broke its own rules. */
export async function contradictingPairs(): Promise<Proofs> {
  const service = newService();
  const decide = (id: string) => place(service, id, { ...plain(id), center: PAIRS_CENTER }, 3);
  const first = placeUse(service, 'first_use', { center: PAIRS_CENTER });
  const second = placeUse(service, 'second_use', { center: PAIRS_CENTER }, first.grant);
  const uses = placeContradictingUses(service, PAIRS_CENTER);
  const both = decide('both');
  const rejected = placeRejection(
    service,
    { event: event('both'), approval: REJECTIONS['rejection-expired']!.approval },
    PAIRS_CENTER.id,
  );
  const other = { ...event('twice').action, input: { amount: 999_900, currency: 'EUR' } };
  const twice = decide('twice');
  const again = place(
    service,
    'twice',
    { ...plain('twice'), event: event('twice', { action: other }), center: PAIRS_CENTER },
    4,
  );
  const [refused, refusedAgain] = ['expired', 'withdrawn'].map((why) =>
    placeRejection(service, { ...REJECTIONS[`rejection-${why}`]!, event: event('refused') }, PAIRS_CENTER.id),
  );
  const grantAgain = place(
    service,
    'grant-again',
    grantOf('used', {
      terms: { ...TERMS, budget: { member: 'amount', limit: 1 } },
      center: PAIRS_CENTER,
    }),
    4,
  );
  const used = placeUse(service, 'used', { mandate: 'mnd_used', center: PAIRS_CENTER });
  const told = decide('outcomes');
  const [executed, failed] = [
    placeOutcome(service, told, 'executed', 5),
    placeOutcome(service, told, 'failed', 6),
  ];
  // Another size of the log than in the other contradicting proofs, which come from another history.
  service.append(PAIRS_CENTER.id, 'platform', 'Opened.', later(0));
  await service.settle();
  return {
    'mandate-use-1-for-one-refund': proofOfUse(service, first),
    'mandate-use-1-for-another-refund': proofOfUse(service, second),
    ...Object.fromEntries(uses.map(([name, use]) => [name, proofOfUse(service, use)])),
    'decision-sealed': proofOf(service, both),
    'decision-rejected': proofOfRejection(service, rejected),
    'decision-sealed-once': proofOf(service, twice),
    'decision-sealed-twice': proofOf(service, again),
    'decision-rejected-once': proofOfRejection(service, refused!),
    'decision-rejected-twice': proofOfRejection(service, refusedAgain!),
    'mandate-under-a-grant': proofOfUse(service, used),
    'mandate-grant-sealed-twice': proofOf(service, grantAgain),
    'outcome-executed': proofOf(service, { ...told, outcome: executed }),
    'outcome-failed': proofOf(service, { ...told, outcome: failed }),
  };
}
