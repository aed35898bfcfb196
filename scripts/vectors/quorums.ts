/** Decisions that several people must approve: quorums that are met, and quorums that are only claimed. */
import type { ProofDocument } from '@countersign/proof-kit/proof-document';
import type { QuorumDemands } from '@countersign/proof-kit/quorum';
import { APPROVED_AT, approval, event, type VectorApproval, type VectorDecision } from './decisions.ts';
import { later, newService, type Placed, passkey, place, proofOf } from './genuine.ts';
import { recordDelegation, recordGroup, type SeatRecord } from './groups.ts';
import type { VectorService } from './service.ts';

const FINANCE = { index: 0, group: 'grp_finance' };
const MEDICAL = { index: 1, group: 'grp_medical' };
const ESCALATE_AFTER_SECONDS = 60;

/** A signature from finance first, then a session of the medical board. */
const DEMANDS: QuorumDemands = {
  quorum: [
    { group: 'grp_finance', count: 1, authentication: 'SIGNED' },
    { group: 'grp_medical', count: 1 },
  ],
  quorumOrdered: true,
};
const ESCALATING: QuorumDemands = {
  ...DEMANDS,
  escalateAfterSeconds: ESCALATE_AFTER_SECONDS,
  escalateToGroup: 'grp_board',
};
const LAST = later(-0.5);

function by(person: string, change: Partial<VectorApproval>): VectorApproval {
  const id = `${person}@example.test`;
  return approval(person, {
    approver: { id, type: 'human', name: person },
    by: { kind: change.signedBy ? 'passkey' : 'session', id },
    ...change,
  });
}

const finance = (change: Partial<VectorApproval> = {}) =>
  by('ada', { seat: FINANCE, signedBy: { passkey }, approvedAt: APPROVED_AT, ...change });
const medical = (change: Partial<VectorApproval> = {}) =>
  by('cleo', { seat: MEDICAL, approvedAt: LAST, ...change });

const decision = (id: string, approvals: VectorApproval[], quorum = DEMANDS): VectorDecision => ({
  event: event(id),
  approvals,
  asked: { passkeyAgeHours: 24 },
  quorum,
});

const standIn = by('dora', {
  seat: MEDICAL,
  delegation: { id: 'del_1' },
  onBehalfOf: 'cleo@example.test',
  escalation: { group: 'grp_board' },
  approvedAt: LAST,
});

/** Seats of sessions; the first can have more approvals than it needs. */
const UNORDERED: QuorumDemands = {
  quorum: [
    { group: 'grp_finance', count: 1 },
    { group: 'grp_medical', count: 1 },
  ],
};
const fromFinance = (person: string) => by(person, { seat: FINANCE });
const ELEVEN = 'abcdefghijk'.split('');

export const QUORUM_DECISIONS: Record<string, VectorDecision> = {
  'quorum-with-a-surplus-approval': decision(
    'quorum_surplus',
    [fromFinance('ada'), fromFinance('emil'), medical()],
    UNORDERED,
  ),
  'quorum-met': decision('quorum_met', [finance(), medical()]),
  'quorum-delegated-and-escalated': decision('quorum_escalated', [finance(), standIn], ESCALATING),
};

/** Everything but the quorum is valid: policy and passkeys are included. */
const UNMET: Record<string, VectorDecision> = {
  'quorum-unmet': decision('q', [finance()]),
  'quorum-machine-in-a-seat': {
    ...decision('q', [
      approval('ada', { seat: { index: 0 } }),
      approval('bot', {
        approver: { id: 'bot', type: 'system' },
        by: { kind: 'api_key', id: 'key_1' },
        seat: { index: 0 },
        approvedAt: LAST,
      }),
    ]),
    quorum: { quorum: [{ count: 2 }] },
  },
  'quorum-same-person-twice': decision('q', [
    finance(),
    medical({
      approver: { id: 'ADA@example.test', type: 'human' },
      by: { kind: 'session', id: 'ADA@example.test' },
    }),
  ]),
  'quorum-on-behalf-of-an-approver': decision('q', [
    finance(),
    medical({ delegation: { id: 'del_1' }, onBehalfOf: 'ada@example.test' }),
  ]),
  'quorum-on-behalf-of-a-surplus-approver': decision(
    'q',
    [
      fromFinance('ada'),
      fromFinance('emil'),
      medical({ delegation: { id: 'del_1' }, onBehalfOf: 'emil@example.test' }),
    ],
    UNORDERED,
  ),
  'quorum-of-eleven': decision('q', ELEVEN.map(fromFinance), {
    quorum: [{ group: 'grp_finance', count: ELEVEN.length }],
  }),
  'quorum-wrong-order': decision('q', [medical({ approvedAt: APPROVED_AT }), finance({ approvedAt: LAST })]),
  'quorum-session-in-a-signed-seat': decision('q', [by('ada', { seat: FINANCE }), medical()]),
  'quorum-young-passkey-in-a-signed-seat': decision('q', [
    finance({ signedBy: { passkey, registeredAt: '2026-01-30T12:00:00.000Z' } }),
    medical(),
  ]),
  'quorum-seat-that-does-not-exist': decision('q', [
    finance(),
    medical({ seat: { index: 7, group: 'grp_medical' } }),
  ]),
  'quorum-seat-of-another-group': decision('q', [
    finance(),
    medical({ seat: { index: 1, group: 'grp_finance' } }),
  ]),
  'quorum-escalated-too-early': decision('q', [finance(), standIn], {
    ...ESCALATING,
    escalateAfterSeconds: 3 * ESCALATE_AFTER_SECONDS,
  }),
};

const MEDICAL_ONLY = { members: ['gus@example.test'], shown: ['gus@example.test'] };
const delegated = (delegations: VectorDecision['delegations']): VectorDecision => ({
  ...decision('q', [finance(), standIn], ESCALATING),
  ...(delegations && { delegations }),
});

/** Quorums that the approvals meet, by people who could not fill the seats. */
const WRONG_PEOPLE: Record<string, VectorDecision> = {
  'group-without-the-approver': {
    ...decision('q', [finance(), medical()]),
    groups: { grp_medical: MEDICAL_ONLY },
  },
  'group-without-members': {
    ...decision('q', [finance(), medical()]),
    groups: { grp_medical: { members: [] } },
  },
  'group-that-was-deleted': {
    ...decision('q', [finance(), medical()]),
    groups: { grp_medical: { members: ['cleo@example.test'], deleted: true } },
  },
  'group-of-another-id': {
    ...decision('q', [finance(), medical()]),
    groups: { grp_other: { members: ['cleo@example.test'] } },
  },
  'group-of-the-escalation-without-the-approver': {
    ...delegated(undefined),
    groups: { grp_board: MEDICAL_ONLY },
  },
  'delegation-that-had-ended': delegated({ del_1: { ended: later(-1) } }),
  'delegation-that-had-expired': delegated({ del_1: { until: LAST } }),
  'delegation-that-had-not-begun': delegated({ del_1: { starts: later(0) } }),
  'delegation-of-another-member': delegated({ del_1: { from: 'ada@example.test' } }),
  'delegation-to-somebody-else': delegated({ del_1: { to: 'gus@example.test' } }),
};

const CLEO = { members: ['cleo@example.test'] };
const without = (records: SeatRecord[] = [], count = 1) => records.slice(0, -count);

/** Records that do not belong into the proof; in the met quorum, the group of the last seat is the last one. */
const WRONG_RECORDS: Record<string, (service: VectorService, placed: Placed) => Partial<Placed>> = {
  'group-newer-than-the-journals': (service, { groups }) => ({
    groups: [...without(groups), recordGroup(service, 'grp_medical', CLEO)],
  }),
  'group-recorded-after-the-seal': (service, { groups }) => ({
    groups: [...without(groups), recordGroup(service, 'grp_medical', CLEO, { at: later(60) })],
  }),
  'group-in-two-versions': (service, { groups = [] }) => ({
    groups: [...groups, recordGroup(service, 'grp_medical', MEDICAL_ONLY)],
  }),
  'group-of-another-center': (service, { groups }) => ({
    groups: [...without(groups), recordGroup(service, 'grp_medical', CLEO, { center: 13 })],
  }),
  'group-not-sorted': (service, { groups }) => ({
    groups: [
      ...without(groups),
      recordGroup(
        service,
        'grp_medical',
        { members: ['cleo@example.test', 'gus@example.test'] },
        { change: (content) => (content['members'] as string[]).reverse() },
      ),
    ],
  }),
  'group-with-another-disclosure': (service, { groups }) => ({
    groups: [...without(groups), recordGroup(service, 'grp_medical', CLEO, { role: 'owner' })],
  }),
  'delegation-that-nobody-names': (service) => ({
    delegations: [
      recordDelegation(service, 'del_9', {
        from: 'cleo@example.test',
        to: 'dora@example.test',
        starts: APPROVED_AT,
        until: LAST,
      }),
    ],
  }),
};

/** Large enough for the records that are written after the seal. */
const AMPLE = ['0/audit', '0/journal', '12/journal'].map((chain) => ({
  origin: `proof.example/chains/${chain}`,
  size: 1000,
}));

export async function unmetQuorums(): Promise<Record<string, ProofDocument>> {
  const proofs: Record<string, ProofDocument> = {};
  for (const [name, unmet] of Object.entries({ ...UNMET, ...WRONG_PEOPLE })) {
    const service = newService();
    const placed = place(service, name, unmet, 3);
    await service.settle();
    proofs[name] = proofOf(service, placed);
  }
  for (const [name, change] of Object.entries(WRONG_RECORDS)) {
    const service = newService();
    const met = decision('q', [finance(), medical()]);
    const isNewer = name === 'group-newer-than-the-journals';
    const placed = place(service, name, isNewer ? met : { ...met, journals: AMPLE }, 3);
    const wrong = { ...placed, ...change(service, placed) };
    await service.settle();
    proofs[name] = proofOf(service, wrong);
  }
  return proofs;
}

/** Met quorums whose proofs leave out the groups, the delegations or their people. */
export function partialQuorums(
  service: VectorService,
  { met, delegated }: { met: Placed; delegated: Placed },
): Record<string, ProofDocument> {
  const closed = (records: SeatRecord[] = []) => records.map((each) => ({ ...each, disclosures: [] }));
  return {
    'quorum-without-a-group': proofOf(service, { ...met, groups: without(met.groups) }),
    'quorum-without-groups': proofOf(service, { ...delegated, groups: [], delegations: [] }),
    'quorum-without-its-delegation': proofOf(service, { ...delegated, delegations: [] }),
    'quorum-members-withheld': proofOf(service, { ...met, groups: closed(met.groups) }),
    'quorum-delegation-withheld': proofOf(service, {
      ...delegated,
      delegations: closed(delegated.delegations),
    }),
    'quorum-people-withheld': proofOf(service, delegated, {
      withhold: ['approvals.approver.id', 'approvals.by.id', 'approvals.onBehalfOf'],
    }),
  };
}
