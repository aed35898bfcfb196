/** Which scope sets a guard and which may loosen it. Each row has its own action types, so that one center serves them all. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeMember } from '../helpers/world.ts';
import { COUNTRY, known, type PolicyStage, policyStage, REGION, type Scope } from './policy-stage.ts';
import { proofStage } from './stage.ts';

let running: TestApp;
let stage: PolicyStage;
beforeAll(async () => {
  running = await startTestApp();
  stage = await policyStage(running);
});
afterAll(() => running.close());

const GUARDS =
  'minimumEvidenceLevel humanReviewForAi riskThreshold riskRequired dualApproval approverAuthentication';
const effective = (actionType: string, token?: string) =>
  stage.ask(
    `query ($actionType: String!) { effectivePolicy(actionType: $actionType) { sources guards { ${GUARDS} } } }`,
    { actionType },
    token,
  ) as Promise<{ guards: Record<string, unknown>; sources: Record<string, { id: string } | null> }>;

/** A policy of a row: scope, guards, and the part of the row's actions it covers (`.*` by default). */
type Word = [scope: Scope, guards: object, pattern?: string];

const dual = (dualApproval: boolean, ...enforced: string[]) => ({ dualApproval, enforced });
const risk = (riskThreshold: number, ...enforced: string[]) => ({ riskThreshold, enforced });
const level = (minimumEvidenceLevel: string, ...enforced: string[]) => ({ minimumEvidenceLevel, enforced });
const DUAL = 'dual_approval';
const RISK = 'risk_threshold';

describe('the narrowest scope takes precedence, unless a wider one enforces more', () => {
  const rows: [name: string, words: Word[], expected: object][] = [
    [
      'no policy besides the baseline',
      [],
      { riskThreshold: 0.8, approverAuthentication: 'ASSERTED', dualApproval: null },
    ],
    [
      'a center loosens a guard that is not enforced',
      [
        ['COUNTRY', dual(true)],
        ['CENTER', dual(false)],
      ],
      dual(false),
    ],
    [
      'global, risk threshold enforced',
      [
        ['GLOBAL', risk(0.5, RISK)],
        ['CENTER', risk(0.9)],
      ],
      risk(0.5),
    ],
    [
      'global, risk threshold tightened',
      [
        ['GLOBAL', risk(0.5, RISK)],
        ['CENTER', risk(0.2)],
      ],
      risk(0.2),
    ],
    [
      'country, dual approval enforced',
      [
        ['COUNTRY', dual(true, DUAL)],
        ['CENTER', dual(false)],
      ],
      dual(true),
    ],
    [
      'country, enforced over a region',
      [
        ['COUNTRY', dual(true, DUAL)],
        ['REGION', dual(false)],
      ],
      dual(true),
    ],
    [
      'region, evidence level enforced',
      [
        ['REGION', level('DOCUMENTED', 'evidence_level')],
        ['CENTER', level('DRAFT')],
      ],
      level('DOCUMENTED'),
    ],
    [
      'region, evidence level tightened',
      [
        ['REGION', level('DOCUMENTED', 'evidence_level')],
        ['CENTER', level('AUDIT_READY')],
      ],
      level('AUDIT_READY'),
    ],
    [
      'country, human review enforced',
      [
        ['COUNTRY', { humanReviewForAi: true, enforced: ['human_review'] }],
        ['REGION', { humanReviewForAi: false }],
        ['CENTER', { humanReviewForAi: false }],
      ],
      { humanReviewForAi: true },
    ],
    [
      'country, required risk score enforced',
      [
        ['COUNTRY', { ...risk(0.5, RISK), riskRequired: true }],
        ['CENTER', { riskRequired: false, riskThreshold: 1 }],
      ],
      { riskRequired: true, riskThreshold: 0.5 },
    ],
    [
      'country, approver authentication enforced',
      [
        ['COUNTRY', known('SESSION', 'approver_authentication')],
        ['CENTER', known('ASSERTED')],
      ],
      known('SESSION'),
    ],
    [
      'country, approver authentication tightened',
      [
        ['COUNTRY', known('SESSION', 'approver_authentication')],
        ['CENTER', known('SIGNED')],
      ],
      known('SIGNED'),
    ],
    [
      'two scopes enforce: the stricter one is the country',
      [
        ['GLOBAL', risk(0.6, RISK)],
        ['COUNTRY', risk(0.4, RISK)],
        ['CENTER', risk(0.9)],
      ],
      risk(0.4),
    ],
    [
      'two scopes enforce: the stricter one is global',
      [
        ['GLOBAL', risk(0.3, RISK)],
        ['COUNTRY', risk(0.6, RISK)],
        ['CENTER', risk(0.9)],
      ],
      risk(0.3),
    ],
    [
      'only the listed guards are enforced',
      [
        ['COUNTRY', { ...dual(true, DUAL), riskThreshold: 0.5 }],
        ['CENTER', { ...dual(false), riskThreshold: 0.9 }],
      ],
      { dualApproval: true, riskThreshold: 0.9 },
    ],
    [
      'a more specific pattern of the center cannot loosen it',
      [
        ['COUNTRY', dual(true, DUAL)],
        ['CENTER', dual(false), '.act'],
      ],
      dual(true),
    ],
    [
      'a more specific policy of the same scope keeps it enforced',
      [
        ['COUNTRY', dual(true, DUAL)],
        ['COUNTRY', dual(true), '.act'],
        ['CENTER', dual(false)],
      ],
      dual(true),
    ],
    [
      'a stricter value that is not enforced can be loosened to the enforced one',
      [
        ['COUNTRY', risk(0.5, RISK)],
        ['COUNTRY', risk(0.3), '.act'],
        ['CENTER', risk(0.9)],
      ],
      risk(0.5),
    ],
    [
      'the scope that enforces a guard can make an exception',
      [
        ['COUNTRY', risk(0.5, RISK)],
        ['COUNTRY', risk(0.7), '.act'],
        ['CENTER', risk(0.9)],
      ],
      risk(0.7),
    ],
  ];
  test.each(rows.map((row, i) => [...row, `floor${i}`] as const))(
    '%s',
    async (_, words, expected, action) => {
      const ids: string[] = [];
      for (const [scope, guards, pattern = '.*'] of words)
        ids.push(await stage.scopedPolicy(scope, action + pattern, guards));
      const { guards, sources } = await effective(`${action}.act`);
      const { enforced: _enforced, ...asked } = expected as { enforced?: unknown };
      expect(guards).toMatchObject(asked);
      const source = sources[Object.keys(asked)[0]!]?.id;
      expect([...ids, 'pol_baseline']).toContain(source);
    },
  );

  test('a policy applies only in its own scope', async () => {
    await stage.scopedPolicy('COUNTRY', 'place', dual(true));
    await stage.scopedPolicy('REGION', 'place', risk(0.1));
    await stage.scopedPolicy('REGION', 'place', known('SIGNED'), { country: 'CH' });
    await stage.scopedPolicy('CENTER', 'place', level('DOCUMENTED'));
    const guardsIn = async (settings: Record<string, string>) => {
      const { token } = await proofStage(running, { settings });
      return (await effective('place', token)).guards;
    };
    const baseline = { riskThreshold: 0.8, approverAuthentication: 'ASSERTED' };
    expect((await effective('place')).guards).toMatchObject({
      ...baseline,
      dualApproval: true,
      riskThreshold: 0.1,
      minimumEvidenceLevel: 'DOCUMENTED',
    });
    const none = { ...baseline, dualApproval: null, minimumEvidenceLevel: null };
    expect(await guardsIn({ country: COUNTRY, region: 'Tirol' })).toMatchObject({
      ...none,
      dualApproval: true,
    });
    expect(await guardsIn({ country: 'CH', region: REGION })).toMatchObject({
      ...none,
      approverAuthentication: 'SIGNED',
    });
    expect(await guardsIn({ country: 'DE', region: REGION })).toMatchObject(none);
  });

  test('a center cannot escape an enforced guard by changing its country', async () => {
    const place = { country: 'LI', region: 'Oberland' };
    const { center, token } = await proofStage(running, { settings: place });
    const move = (input: object, by = token) =>
      stage.ask(
        'mutation ($input: UpdateCenterInput!) { updateCenter(input: $input) { settings } }',
        { input },
        by,
      );
    // A guard that is not enforced may be loosened.
    await stage.scopedPolicy('COUNTRY', 'moved', risk(0.1), { country: 'LI' });
    expect(await move({ region: 'Unterland' })).toMatchObject({ settings: { region: 'Unterland' } });
    expect(await move({ region: 'Oberland' })).toMatchObject({ settings: place });
    const region = await stage.scopedPolicy('REGION', 'moved', dual(true, DUAL), place);
    for (const input of [{ region: 'Unterland' }, { region: null }, { country: 'CH' }, { country: null }]) {
      expect(await move({ ...input, name: 'Elsewhere' })).toEqual({ code: 'FORBIDDEN', policy: region });
    }
    const update = 'mutation ($input: UpdatePolicyInput!) { updatePolicy(input: $input) { active } }';
    expect(await stage.ask(update, { input: { id: region, active: false } }, stage.root)).toEqual({
      active: false,
    });
    const country = await stage.scopedPolicy('COUNTRY', 'moved', dual(true, DUAL), { country: 'LI' });
    expect(await move({ region: 'Unterland', name: 'Here' })).toMatchObject({ settings: { country: 'LI' } });
    expect(await move({ country: 'CH' })).toEqual({ code: 'FORBIDDEN', policy: country });
    expect((await effective('moved', token)).guards).toMatchObject({ dualApproval: true });
    const admin = await makeMember(running.app, center.id, 'ADMIN', { platformAdmin: true });
    expect(await move({ country: 'CH' }, admin.token)).toMatchObject({ settings: { country: 'CH' } });
  });
});
