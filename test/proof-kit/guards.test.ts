import {
  type ApprovalFacts,
  type DecisionFacts,
  evaluateGuards,
  GUARDS,
  type GuardName,
  isSamePerson,
  type Quorum,
  quorumOf,
  type Requirements,
  requirementsOf,
  type SeatReference,
  selfApproval,
} from '@countersign/proof-kit';
import { describe, expect, it, test } from 'vitest';

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
    const finding = evaluateGuards({ policyExists: true, ...asked }, given).find(
      (each) => each.guard === guard,
    )!;
    expect(`${finding.verdict} ${finding.detail}`).toBe(expected);
  });

  it('says something, whatever is asked', () => {
    expect(evaluateGuards({ policyExists: true }, facts()).map(({ guard }) => guard)).toEqual([...GUARDS]);
  });

  it('never tells a score', () => {
    const told = evaluateGuards({ policyExists: true, riskThreshold: 0.5 }, facts({ riskScore: 0.7531 }));
    expect(JSON.stringify(told)).not.toContain('7531');
  });
});

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

  test('is filled by as many people as each seat asks for', () => {
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
    ['with too weak an authentication', [ada, eve, by('kim', seat(1))]],
    [
      'with the word of an API key for a group',
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

  test('gives withheld ids the benefit of the doubt', () => {
    const nameless = { ...ada, approverId: undefined };
    expect(found([quorum], nameless, nameless, kim).verdict).toBe('pass');
  });

  test('of a wider policy may be filled by the same approval', () => {
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

  test('is over after a rejection, and a mandate replaces it', () => {
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
  ])('does not read %j', (detail) => {
    expect(requirementsOf([{ guard: 'quorum', detail }])).toBeNull();
  });

  test('takes a session as the least for a group', () => {
    const seats = [{ group: finance, count: 1, authentication: 'ASSERTED' as const }, { count: 1 }];
    expect(quorumOf({ quorum: seats })!.seats.map(({ authentication }) => authentication)).toEqual([
      'SESSION',
      'ASSERTED',
    ]);
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

describe('self-approval is refused', () => {
  const anybody = quorumOf({ quorum: [{ count: 1 }] })!;
  it.each<[string, Partial<Requirements>, DecisionFacts, number]>([
    ['an agent itself', {}, { ...agent, actorId: 'bot-7', approvals: [by('ada'), by('BOT-7')] }, 1],
    ['a person under no such guard', {}, facts({ approvals: [by('ben')] }), -1],
    ['a person under a quorum', { quorums: [anybody] }, facts({ approvals: [by('ben')] }), 0],
    [
      'a delegate on behalf of the actor',
      { quorums: [anybody] },
      facts({ approvals: [by('ada', { onBehalfOf: 'ben' })] }),
      0,
    ],
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
