import {
  effectivePolicy,
  GLOBAL_BASELINE,
  type Policy,
  type PolicyGuards,
} from '@countersign/proof-kit/effective-policy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const ACTION = 'loan.approve.large';
const GUARDS = ['minimumEvidenceLevel', 'humanReviewForAi', 'riskThreshold', 'dualApproval'] as const;

const guardsArb: fc.Arbitrary<PolicyGuards> = fc.record(
  {
    minimumEvidenceLevel: fc.constantFrom('DRAFT', 'DOCUMENTED', 'AUDIT_READY', null),
    humanReviewForAi: fc.constantFrom(true, false, null),
    riskThreshold: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constant(null)),
    dualApproval: fc.constantFrom(true, false, null),
  },
  { requiredKeys: [] },
);
const policyArb: fc.Arbitrary<Policy> = fc.record({
  id: fc.constantFrom('pol_1', 'pol_2', 'pol_3', 'pol_4', 'pol_5', 'pol_6'),
  version: fc.integer({ min: 1, max: 4 }),
  scope: fc.constantFrom('GLOBAL', 'COUNTRY', 'REGION', 'CENTER'),
  actionPattern: fc.constantFrom('*', 'loan.*', 'loan.approve.*', ACTION, 'other', 'other.*'),
  guards: guardsArb,
});
// An id and a version identify one text.
const policiesArb = fc.uniqueArray(policyArb, {
  maxLength: 10,
  selector: ({ id }) => id,
});

const make = (id: string, fields: Partial<Policy>): Policy => ({
  id,
  version: 1,
  scope: 'CENTER',
  actionPattern: '*',
  guards: {},
  ...fields,
});
const effective = (policies: Policy[]) => effectivePolicy(policies, { actionType: ACTION });
const thresholdBy = (...policies: Policy[]) => effective(policies).guards.riskThreshold?.policy.id;
const risk = (riskThreshold: number) => ({ guards: { riskThreshold } });

describe('effectivePolicy', () => {
  it('ranks patterns that differ only in case by id, whatever their order', () => {
    const lower = make('pol_1', { actionPattern: ACTION, ...risk(0.1) });
    const upper = make('pol_2', { actionPattern: ACTION.toUpperCase(), ...risk(0.2) });
    expect([thresholdBy(lower, upper), thresholdBy(upper, lower)]).toEqual(['pol_2', 'pol_2']);
  });

  it('a narrower scope can only tighten guards that a wider scope enforces', () => {
    const enforced = {
      riskThreshold: 0.5,
      dualApproval: true,
      enforced: ['risk_threshold', 'dual_approval'],
    } as const;
    const wide = make('pol_wide', { scope: 'COUNTRY', guards: enforced });
    const looser = make('pol_own', {
      guards: { riskThreshold: 0.9, dualApproval: false, humanReviewForAi: false },
    });
    const stricter = make('pol_own', { guards: { riskThreshold: 0.2 } });
    const values = (...policies: Policy[]) => {
      const { riskThreshold, dualApproval, humanReviewForAi } = effective([
        GLOBAL_BASELINE,
        ...policies,
      ]).guards;
      return [riskThreshold?.value, dualApproval?.value, humanReviewForAi?.value];
    };
    expect(values(wide, looser)).toEqual([0.5, true, false]);
    expect(values(wide, stricter)).toEqual([0.2, true, undefined]);
    expect(
      values(make('pol_wide', { scope: 'COUNTRY', guards: { ...enforced, enforced: [] } }), looser),
    ).toEqual([0.9, false, false]);
  });

  it('does not depend on the order of the policies', () => {
    const shuffled = policiesArb.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })),
    );
    fc.assert(
      fc.property(shuffled, ([all, other]) => {
        expect(effective(other)).toEqual(effective(all));
      }),
    );
  });

  it('a more specific policy overrides only the guards it sets', () => {
    fc.assert(
      fc.property(policiesArb, guardsArb, (policies, guards) => {
        const before = effective(policies);
        // Above all others: center scope, exact pattern, latest id.
        const top = make('pol_9', { actionPattern: ACTION, guards });
        const after = effective([...policies, top]);
        expect(after.policy).toEqual({ id: 'pol_9', version: 1 });
        for (const name of GUARDS) {
          const set = guards[name];
          const expected =
            set === undefined || set === null
              ? before.guards[name]
              : { value: set, policy: { id: 'pol_9', version: 1 } };
          expect(after.guards[name]).toEqual(expected);
        }
      }),
    );
  });

  it('a less specific policy fills only guards that are not set', () => {
    fc.assert(
      fc.property(policiesArb, guardsArb, (policies, guards) => {
        const before = effective(policies);
        // Below all others: global scope, widest pattern, earliest id.
        const bottom = make('pol_0', { scope: 'GLOBAL', guards });
        const after = effective([bottom, ...policies]);
        for (const name of GUARDS) {
          if (before.guards[name]) expect(after.guards[name]).toEqual(before.guards[name]);
          else expect(after.guards[name]?.value ?? null).toEqual(guards[name] ?? null);
        }
      }),
    );
  });

  it('ignores policies for other actions', () => {
    fc.assert(
      fc.property(policiesArb, (policies) => {
        const strange = make('pol_9', { actionPattern: 'other.*', guards: { dualApproval: true } });
        expect(effective([...policies, strange])).toEqual(effective(policies));
      }),
    );
  });

  it('ranks by scope, then by pattern, then by age', () => {
    const center = make('pol_1', { scope: 'CENTER', actionPattern: '*', ...risk(0.1) });
    const region = make('pol_2', { scope: 'REGION', actionPattern: ACTION, ...risk(0.2) });
    const country = make('pol_3', { scope: 'COUNTRY', actionPattern: ACTION, ...risk(0.3) });
    expect(thresholdBy(country, region, center)).toBe('pol_1');
    expect(thresholdBy(GLOBAL_BASELINE, country, region)).toBe('pol_2');
    expect(thresholdBy(GLOBAL_BASELINE, country)).toBe('pol_3');

    const exact = make('pol_1', { actionPattern: ACTION, ...risk(0.1) });
    const near = make('pol_2', { actionPattern: 'loan.approve.*', ...risk(0.2) });
    const far = make('pol_3', { actionPattern: 'loan.*', ...risk(0.3) });
    expect(thresholdBy(far, near, exact)).toBe('pol_1');
    expect(thresholdBy(far, near)).toBe('pol_2');
    expect(thresholdBy(make('pol_4', risk(0.4)), make('pol_5', risk(0.5)))).toBe('pol_5');
  });

  it('treats false as a value: a center can disable a guard of its country', () => {
    const country = make('pol_1', { scope: 'COUNTRY', guards: { humanReviewForAi: true } });
    const center = make('pol_2', { guards: { humanReviewForAi: false } });
    expect(effective([country, center]).guards.humanReviewForAi?.value).toBe(false);
  });

  it('returns the baseline for any action, and nothing without it', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (actionType) => {
        const found = effectivePolicy([GLOBAL_BASELINE], { actionType });
        expect(found.guards.riskThreshold?.value).toBe(0.8);
        expect(effectivePolicy([], { actionType }).policy).toBeNull();
      }),
    );
  });
});
