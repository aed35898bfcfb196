import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  effectivePolicy,
  GLOBAL_BASELINE,
  type PolicyGuards,
} from '../../../src/domain/policies/effective.ts';
import {
  type Approval,
  type DecisionFacts,
  evaluateGuards,
  type GuardName,
  overall,
} from '../../../src/domain/policies/evaluate.ts';

const under = (guards: PolicyGuards) =>
  effectivePolicy([{ id: 'pol_1', version: 3, scope: 'CENTER', actionPattern: '*', guards }], {
    actionType: 'loan.approve',
  });
const facts = (fields: Partial<DecisionFacts> = {}): DecisionFacts => ({
  actorType: 'ai_agent',
  evidenceLevel: 'DOCUMENTED',
  approvals: [],
  ...fields,
});
const verdict = (guard: GuardName, guards: PolicyGuards, given: Partial<DecisionFacts> = {}) =>
  evaluateGuards(under(guards), facts(given)).find((result) => result.guard === guard)?.verdict;

const human = (approverId: string): Approval => ({ approverId, approverType: 'human', result: 'approved' });
const system: Approval = { approverId: 'system', approverType: 'system', result: 'approved' };
const rejection: Approval = { approverId: 'eve', approverType: 'human', result: 'rejected' };

const factsArb: fc.Arbitrary<DecisionFacts> = fc.record({
  actorType: fc.constantFrom('human', 'ai_agent', 'system', 'service'),
  riskScore: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  evidenceLevel: fc.constantFrom('DRAFT', 'DOCUMENTED', 'AUDIT_READY'),
  approvals: fc.array(fc.constantFrom(human('ann'), human('bob'), system, rejection), { maxLength: 4 }),
});
const guardsArb: fc.Arbitrary<PolicyGuards> = fc.record(
  {
    minimumEvidenceLevel: fc.constantFrom('DRAFT', 'DOCUMENTED', 'AUDIT_READY'),
    humanReviewForAi: fc.boolean(),
    riskThreshold: fc.double({ min: 0, max: 1, noNaN: true }),
    dualApproval: fc.boolean(),
  },
  { requiredKeys: [] },
);

describe('guards', () => {
  it('policy_existence passes if some policy matches, and fails without one', () => {
    expect(verdict('policy_existence', {})).toBe('pass');
    const results = evaluateGuards(effectivePolicy([], { actionType: 'x' }), facts());
    expect(results[0]).toMatchObject({
      guard: 'policy_existence',
      verdict: 'fail',
      policy: null,
      version: null,
    });
    expect(overall(results)).toBe('fail');
  });

  it('evidence_level wants the minimum or more', () => {
    expect(verdict('evidence_level', { minimumEvidenceLevel: 'DOCUMENTED' })).toBe('pass');
    expect(verdict('evidence_level', { minimumEvidenceLevel: 'AUDIT_READY' })).toBe('fail');
    expect(verdict('evidence_level', {}, { evidenceLevel: 'DRAFT' })).toBe('pass');
  });

  it('human_review waits for a human where the actor is an AI', () => {
    const on = { humanReviewForAi: true };
    expect(verdict('human_review', on)).toBe('pending');
    expect(verdict('human_review', on, { approvals: [system] })).toBe('pending');
    expect(verdict('human_review', on, { approvals: [system, human('ann')] })).toBe('pass');
    expect(verdict('human_review', on, { approvals: [rejection] })).toBe('fail');
    expect(verdict('human_review', on, { actorType: 'service' })).toBe('pass');
    expect(verdict('human_review', { humanReviewForAi: false })).toBe('pass');
  });

  it('risk_threshold waits for a human above the threshold only', () => {
    const at = { riskThreshold: 0.8 };
    expect(verdict('risk_threshold', at, { riskScore: 0.8 })).toBe('pass');
    expect(verdict('risk_threshold', at, { riskScore: 0.81 })).toBe('pending');
    expect(verdict('risk_threshold', at, { riskScore: 0.81, approvals: [system] })).toBe('pending');
    expect(verdict('risk_threshold', at, { riskScore: 0.81, approvals: [human('ann')] })).toBe('pass');
    expect(verdict('risk_threshold', at, { riskScore: 0.81, approvals: [rejection] })).toBe('fail');
    expect(verdict('risk_threshold', { riskThreshold: 0 }, { riskScore: null })).toBe('pass');
    expect(verdict('risk_threshold', { riskThreshold: 0 }, { riskScore: 0 })).toBe('pass');
  });

  it('dual_approval waits for two different approvers', () => {
    const on = { dualApproval: true };
    expect(verdict('dual_approval', on)).toBe('pending');
    expect(verdict('dual_approval', on, { approvals: [human('ann'), human('ann')] })).toBe('pending');
    expect(verdict('dual_approval', on, { approvals: [human('ann'), human('bob')] })).toBe('pass');
    expect(verdict('dual_approval', on, { approvals: [human('ann'), rejection] })).toBe('fail');
  });

  it('names the policy that set each guard', () => {
    const effective = effectivePolicy(
      [
        GLOBAL_BASELINE,
        { id: 'pol_1', version: 3, scope: 'CENTER', actionPattern: '*', guards: { dualApproval: true } },
      ],
      { actionType: 'x' },
    );
    const setBy = evaluateGuards(effective, facts()).map(({ guard, policy, version }) => [
      guard,
      policy,
      version,
    ]);
    expect(setBy).toEqual([
      ['policy_existence', 'pol_1', 3],
      ['evidence_level', null, null],
      ['human_review', null, null],
      ['risk_threshold', 'pol_baseline', 1],
      ['dual_approval', 'pol_1', 3],
    ]);
  });

  it('let the baseline pass everything that carries no risk score', () => {
    const baseline = effectivePolicy([GLOBAL_BASELINE], { actionType: 'x' });
    fc.assert(
      fc.property(factsArb, (given) => {
        expect(overall(evaluateGuards(baseline, { ...given, riskScore: null }))).toBe('pass');
      }),
    );
  });

  it('never turn a pass around when further approvals come, and heed no order among them', () => {
    fc.assert(
      fc.property(guardsArb, factsArb, (guards, given) => {
        const approvals = given.approvals.filter(({ result }) => result === 'approved');
        const before = evaluateGuards(under(guards), { ...given, approvals });
        const after = evaluateGuards(under(guards), { ...given, approvals: [...approvals, human('zoe')] });
        for (const [i, { verdict: was }] of before.entries())
          if (was !== 'pending') expect(after[i]?.verdict).toBe(was);
        const reversed = { ...given, approvals: given.approvals.toReversed() };
        expect(evaluateGuards(under(guards), reversed)).toEqual(evaluateGuards(under(guards), given));
      }),
    );
  });

  it('keep open only what two more people can close', () => {
    fc.assert(
      fc.property(guardsArb, factsArb, (guards, given) => {
        const before = evaluateGuards(under(guards), given);
        const approvals = [...given.approvals, human('yan'), human('zoe')];
        const after = evaluateGuards(under(guards), { ...given, approvals });
        for (const [i, { verdict: was }] of before.entries()) {
          expect(after[i]?.verdict).toBe(was === 'pending' ? 'pass' : was);
        }
      }),
    );
  });
});
