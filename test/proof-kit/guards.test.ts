import { describe, expect, it, test } from 'vitest';
import {
  type ApprovalFacts,
  type DecisionFacts,
  GUARDS,
  type GuardName,
  isSamePerson,
  judgeGuards,
  type Requirements,
  requirementsOf,
  selfApproval,
} from '../../src/proof-kit/index.ts';

const by = (approverId: string, change: Partial<ApprovalFacts> = {}): ApprovalFacts => ({
  approverId,
  approverType: 'human',
  result: 'approved',
  byKind: 'session',
  ...change,
});
const facts = (change: Partial<DecisionFacts> = {}): DecisionFacts => ({
  eventType: 'custom',
  actorId: 'ben',
  actorType: 'human',
  hasAiContext: false,
  riskScore: null,
  evidenceLevel: 'DOCUMENTED',
  approvals: [by('ada')],
  ...change,
});
const machine = by('bot', { approverType: 'system', byKind: 'api_key' });
const agent = facts({ actorType: 'ai_agent' });

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
  ])('%s, asked %j', (guard, asked, given, expected) => {
    const finding = judgeGuards({ policyExists: true, ...asked }, given).find(
      (each) => each.guard === guard,
    )!;
    expect(`${finding.verdict} ${finding.detail}`).toBe(expected);
  });

  it('says something, whatever is asked', () => {
    expect(judgeGuards({ policyExists: true }, facts()).map(({ guard }) => guard)).toEqual([...GUARDS]);
  });

  it('never tells a score', () => {
    const told = judgeGuards({ policyExists: true, riskThreshold: 0.5 }, facts({ riskScore: 0.7531 }));
    expect(JSON.stringify(told)).not.toContain('7531');
  });
});

test('what was asked can be read back from what passed, and gives the same findings', () => {
  const asked: Requirements = {
    policyExists: true,
    minimumEvidenceLevel: 'DRAFT',
    humanReviewForAi: true,
    riskThreshold: 0.25,
    dualApproval: true,
    approverAuthentication: 'SESSION',
  };
  const given = { ...agent, riskScore: 0.5, approvals: [by('ada'), by('eve')] };
  const findings = judgeGuards(asked, given);
  expect(findings.every(({ verdict }) => verdict === 'pass')).toBe(true);
  expect(judgeGuards(requirementsOf(findings)!, given)).toEqual(findings);
  expect(requirementsOf([{ guard: 'dual_approval', detail: 'waived' }])).toBeNull();
  expect(requirementsOf([{ guard: 'constructor', detail: 'not required' }])).toBeNull();
});

describe('nobody approves an own decision', () => {
  it.each<[string, Partial<Requirements>, DecisionFacts, number]>([
    ['an agent itself', {}, { ...agent, actorId: 'bot-7', approvals: [by('ada'), by('BOT-7')] }, 1],
    ['a person under no such guard', {}, facts({ approvals: [by('ben')] }), -1],
    ['a person under dual approval', { dualApproval: true }, facts({ approvals: [by('Ben ')] }), 0],
    [
      'a person with an AI at hand',
      { humanReviewForAi: true },
      facts({ hasAiContext: true, approvals: [by('ben')] }),
      0,
    ],
    ['a person without', { humanReviewForAi: true }, facts({ approvals: [by('ben')] }), -1],
    [
      'whoever rejects',
      { dualApproval: true },
      facts({ approvals: [by('ben', { result: 'rejected' })] }),
      -1,
    ],
  ])('%s', (_, asked, given, index) => {
    expect(selfApproval(asked, given)).toBe(index);
  });
});

describe('one person in many spellings', () => {
  it.each([
    ['Ada', 'ADA'],
    ['ada', ' ada '],
    ['ada', 'a\u200bd\u00ada'],
    ['ada', 'ａｄａ'],
    ['ada', '\u202eada\u202c'],
    ['straße', 'STRASSE'],
    ['ﬁona', 'FIONA'],
    ['Ångström', 'A\u030angstro\u0308m'],
    ['ada', 'a\u{e0061}da'],
    ['ΣΑΣ', 'σας'],
    ['ada lovelace', 'Ada\u00a0Lovelace'],
  ])('%j is %j', (one, other) => {
    expect(isSamePerson(one, other)).toBe(true);
  });

  it.each([
    ['ada', 'adam'],
    ['ada', 'аda'],
    ['a b', 'ab'],
    ['1', '10'],
  ])('%j is not %j', (one, other) => {
    expect(isSamePerson(one, other)).toBe(false);
  });
});
