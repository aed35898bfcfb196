import {
  type ApprovalFacts,
  evaluateGuards,
  type Quorum,
  quorumOf,
  requirementsOf,
} from '@countersign/proof-kit';
import { describe, expect, it, test } from 'vitest';
import { agent, by, facts, machine } from './facts.ts';

describe('quorum', () => {
  const finance = 'grp_finance';
  const seat = (index: number, group?: string) => ({
    seats: [group === undefined ? { index } : { index, group }],
  });
  const quorum: Quorum = {
    seats: [
      { group: finance, count: 2, authentication: 'SESSION' },
      { group: null, count: 1, authentication: 'SIGNED' },
    ],
    ordered: true,
    escalation: { afterSeconds: 3600, group: 'grp_board' },
  };
  const need =
    '2 of grp_finance (SESSION), 1 of any human (SIGNED), in order, escalating to grp_board after 3600 seconds';
  const occurredAt = '2026-01-31T12:00:00.000Z';
  const ada = by('ada', seat(0, finance));
  const eve = by('eve', seat(0, finance));
  const kim = by('kim', { ...seat(1), byKind: 'passkey' });
  const found = (quorums: Quorum[], ...approvals: ApprovalFacts[]) =>
    evaluateGuards({ policyExists: true, quorums }, facts({ occurredAt, approvals })).at(-1)!;

  test('is filled by as many people as each seat requires', () => {
    expect(found([quorum], ada, eve, kim)).toEqual({
      guard: 'quorum',
      verdict: 'pass',
      detail: `${need}: filled`,
    });
  });

  it.each<[string, ApprovalFacts[]]>([
    ['with a seat still open', [ada, eve]],
    ['by the same person twice', [ada, by(' ADA', seat(0, finance)), kim]],
    ['in the wrong order', [ada, kim, eve]],
    ['with too weak authentication', [ada, eve, by('kim', seat(1))]],
    [
      'by an API key that asserts a group member',
      [ada, by('eve', { ...seat(0, finance), byKind: 'api_key' }), kim],
    ],
    ['by members of another group', [ada, by('eve', seat(0, 'grp_other')), kim]],
    ['by a machine', [ada, by('eve', { ...seat(0, finance), approverType: 'system' }), kim]],
    ['by approvals without a seat', [ada, eve, by('kim', { byKind: 'passkey' })]],
    [
      'by one approval for two seats',
      [ada, eve, { ...kim, seats: [{ index: 0, group: finance }, { index: 1 }] }],
    ],
    ['by a delegator and a delegate', [ada, by('eve', { ...seat(0, finance), onBehalfOf: 'Ada' }), kim]],
    [
      'by two delegates of one person',
      [ada, by('eve', { ...seat(0, finance), onBehalfOf: 'zoe' }), { ...kim, onBehalfOf: 'zoe' }],
    ],
    [
      'by escalation before its time',
      [
        ada,
        by('eve', { ...seat(0, finance), escalatedTo: 'grp_board', approvedAt: '2026-01-31T12:59:59.999Z' }),
        kim,
      ],
    ],
    [
      'by escalation to another group',
      [
        ada,
        by('eve', { ...seat(0, finance), escalatedTo: 'grp_other', approvedAt: '2026-01-31T14:00:00.000Z' }),
        kim,
      ],
    ],
  ])('is not filled %s', (_, approvals) => {
    expect(found([quorum], ...approvals)).toMatchObject({ verdict: 'pending', detail: `${need}: awaited` });
  });

  test('is filled after an escalation', () => {
    const late = { escalatedTo: 'grp_board', approvedAt: '2026-01-31T13:00:00.000Z' };
    expect(found([quorum], ada, { ...eve, ...late }, { ...kim, ...late }).verdict).toBe('pass');
  });

  test('treats approvers with withheld ids as different people', () => {
    const nameless = { ...ada, approverId: undefined };
    expect(found([quorum], nameless, nameless, kim).verdict).toBe('pass');
  });

  test('of a wider policy can be filled by the same approval', () => {
    const wide: Quorum = {
      seats: [{ group: null, count: 1, authentication: 'ASSERTED' }],
      ordered: false,
      escalation: null,
    };
    const both = { ...kim, seats: [{ index: 1 }, { index: 2 }] };
    expect(found([quorum, wide], ada, eve, kim).verdict).toBe('pending');
    expect(found([quorum, wide], ada, eve, both)).toMatchObject({
      verdict: 'pass',
      detail: `${need}; and 1 of any human (ASSERTED): filled`,
    });
  });

  test('fails after a rejection, and is replaced by a mandate', () => {
    expect(found([quorum], ada, { ...eve, result: 'rejected' })).toMatchObject({
      verdict: 'fail',
      detail: `${need}: rejected`,
    });
    const mandated = facts({ ...agent, riskScore: 0.9, underMandate: true, approvals: [machine] });
    const asked = { policyExists: true, humanReviewForAi: true, riskThreshold: 0.8, quorums: [quorum] };
    const details = evaluateGuards(asked, mandated).map(({ detail }) => detail);
    expect(details.filter((detail) => detail.endsWith(': under a mandate'))).toHaveLength(3);
    expect(evaluateGuards(requirementsOf(evaluateGuards(asked, mandated))!, mandated)).toEqual(
      evaluateGuards(asked, mandated),
    );
  });

  it.each([
    '0 of any human (SESSION): filled',
    '1 of everybody (SESSION): filled',
    '1 of any human (SESSION), in order, in order: filled',
    '1 of any human (SESSION): awaited',
    ': filled',
  ])('does not parse %j', (detail) => {
    expect(requirementsOf([{ guard: 'quorum', detail }])).toBeNull();
  });

  test('requires at least a session for a group', () => {
    const seats = [{ group: finance, count: 1, authentication: 'ASSERTED' as const }, { count: 1 }];
    expect(quorumOf({ quorum: seats })!.seats.map(({ authentication }) => authentication)).toEqual([
      'SESSION',
      'ASSERTED',
    ]);
  });
});
