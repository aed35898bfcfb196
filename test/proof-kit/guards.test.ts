import {
  type DecisionFacts,
  evaluateGuards,
  GUARDS,
  type GuardName,
  type Requirements,
  requirementsOf,
  type SeatReference,
} from '@countersign/proof-kit';
import { describe, expect, it, test } from 'vitest';
import { agent, by, facts, machine } from './facts.ts';

describe('each guard', () => {
  it.each<[GuardName, Partial<Requirements>, DecisionFacts, string]>([
    ['policy_existence', { policyExists: false }, facts(), 'fail no policy covers this action'],
    [
      'evidence_level',
      { minimumEvidenceLevel: 'DOCUMENTED' },
      facts(),
      'pass level DOCUMENTED, at least DOCUMENTED required',
    ],
    [
      'evidence_level',
      { minimumEvidenceLevel: 'AUDIT_READY' },
      facts(),
      'fail level DOCUMENTED, at least AUDIT_READY required',
    ],
    ['human_review', { humanReviewForAi: true }, facts(), 'pass not a decision of an AI'],
    ['human_review', { humanReviewForAi: true }, agent, 'pass review of an AI decision by a human: given'],
    [
      'human_review',
      { humanReviewForAi: true },
      { ...agent, approvals: [machine] },
      'pending review of an AI decision by a human: awaited',
    ],
    [
      'human_review',
      { humanReviewForAi: true },
      { ...facts({ hasAiContext: true }), approvals: [machine] },
      'pending review of an AI decision by a human: awaited',
    ],
    [
      'human_review',
      { humanReviewForAi: true },
      { ...facts({ eventType: 'agent_execution' }), approvals: [machine] },
      'pending review of an AI decision by a human: awaited',
    ],
    [
      'human_review',
      { humanReviewForAi: true },
      { ...agent, approvals: [by('ada', { result: 'rejected' })] },
      'fail review of an AI decision by a human: rejected',
    ],
    ['risk_threshold', { riskThreshold: 0.8 }, facts(), 'pass no risk score given'],
    ['risk_threshold', { riskThreshold: 0.8 }, facts({ riskScore: 0.8 }), 'pass risk at most 0.8'],
    [
      'risk_threshold',
      { riskThreshold: 0.8 },
      facts({ riskScore: 0.81 }),
      'pass risk over 0.8: approval by a human: given',
    ],
    [
      'risk_threshold',
      { riskThreshold: 0.8 },
      facts({ riskScore: 0.81, approvals: [machine] }),
      'pending risk over 0.8: approval by a human: awaited',
    ],
    [
      'risk_threshold',
      { riskThreshold: 0.8, riskRequired: true },
      facts({ approvals: [machine] }),
      'pending risk not rated: approval by a human: awaited',
    ],
    [
      'risk_threshold',
      { riskThreshold: 1, riskRequired: true },
      facts({ approvals: [machine] }),
      'pass no risk score given',
    ],
    [
      'dual_approval',
      { dualApproval: true },
      facts({ approvals: [by('ada'), machine] }),
      'pending approval by two different approvers: awaited',
    ],
    [
      'dual_approval',
      { dualApproval: true },
      facts(),
      'pending approval by two different approvers: awaited',
    ],
    [
      'dual_approval',
      { dualApproval: true },
      facts({ approvals: [by('ada'), by(' ADA\u200b')] }),
      'pending approval by two different approvers: awaited',
    ],
    [
      'dual_approval',
      { dualApproval: true },
      facts({ approvals: [by('ada'), by('eve')] }),
      'pass approval by two different approvers: given',
    ],
    [
      'approver_authentication',
      { approverAuthentication: 'ASSERTED' },
      facts({ approvals: [machine] }),
      'pass approvers at least ASSERTED',
    ],
    [
      'approver_authentication',
      { approverAuthentication: 'SESSION' },
      facts(),
      'pass approvers at least SESSION',
    ],
    [
      'approver_authentication',
      { approverAuthentication: 'SESSION' },
      facts({ approvals: [by('a'), machine] }),
      'fail approvers at least SESSION',
    ],
    [
      'approver_authentication',
      { approverAuthentication: 'SIGNED' },
      facts(),
      'fail approvers at least SIGNED',
    ],
    [
      'approver_authentication',
      { approverAuthentication: 'SIGNED' },
      facts({ approvals: [by('a', { byKind: 'passkey' })] }),
      'pass approvers at least SIGNED',
    ],
  ])('%s, required %j', (guard, asked, given, expected) => {
    const finding = evaluateGuards({ policyExists: true, ...asked }, given).find(
      (each) => each.guard === guard,
    )!;
    expect(`${finding.verdict} ${finding.detail}`).toBe(expected);
  });

  it('each guard has a finding, whatever is required', () => {
    expect(evaluateGuards({ policyExists: true }, facts()).map(({ guard }) => guard)).toEqual([...GUARDS]);
  });

  it('findings never contain the risk score', () => {
    const told = evaluateGuards({ policyExists: true, riskThreshold: 0.5 }, facts({ riskScore: 0.7531 }));
    expect(JSON.stringify(told)).not.toContain('7531');
  });
});

test('requirements can be parsed from the findings, and give the same findings', () => {
  const asked: Requirements = {
    policyExists: true,
    minimumEvidenceLevel: 'DRAFT',
    humanReviewForAi: true,
    riskThreshold: 0.25,
    dualApproval: true,
    approverAuthentication: 'SESSION',
    quorums: [
      {
        seats: [
          { group: 'grp_a', count: 1, authentication: 'SESSION' },
          { group: null, count: 1, authentication: 'ASSERTED' },
        ],
        ordered: true,
        escalation: { afterSeconds: 60, group: 'grp_b' },
      },
      { seats: [{ group: null, count: 1, authentication: 'SESSION' }], ordered: false, escalation: null },
    ],
  };
  const seats = (...list: SeatReference[]) => ({ seats: list });
  const first = by('ada', seats({ index: 0, group: 'grp_a' }, { index: 2 }));
  const given = { ...agent, riskScore: 0.5, approvals: [first, by('eve', seats({ index: 1 }))] };
  const findings = evaluateGuards(asked, given);
  expect(findings.every(({ verdict }) => verdict === 'pass')).toBe(true);
  expect(evaluateGuards(requirementsOf(findings)!, given)).toEqual(findings);
  expect(requirementsOf([{ guard: 'dual_approval', detail: 'waived' }])).toBeNull();
  expect(requirementsOf([{ guard: 'constructor', detail: 'not required' }])).toBeNull();
});
