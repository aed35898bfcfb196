/**
 * The requirements of policies as a table: which scope sets a guard and which may loosen it, and for each guard who approves
 * how with what result. Every row has its own action types, so that one center serves them all.
 */

import { verifyProof } from '@countersign/proof-kit/verify-proof';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { SoftPasskey } from '../helpers/authenticator.ts';
import { makeActor, makeMember, makeToken } from '../helpers/world.ts';
import { type ProofStage, proofStage } from './stage.ts';

let running: TestApp;
let stage: ProofStage;
let root: string;
let passkey: SoftPasskey;

const COUNTRY = 'AT';
const REGION = 'Wien';

beforeAll(async () => {
  running = await startTestApp();
  stage = await proofStage(running, { settings: { country: COUNTRY, region: REGION } });
  root = await makeToken(running.app, (await makeActor(running.app, { platformAdmin: true })).id, null);
  passkey = new SoftPasskey(new URL(running.config.publicUrl).origin);
  const options = await ask('mutation { beginPasskeyRegistration }', {});
  const finish = `mutation ($response: JSON!) {
    finishPasskeyRegistration(input: { name: "Key", response: $response }) { id } }`;
  expect(await ask(finish, { response: passkey.register(options as never) })).toHaveProperty('id');
});
afterAll(() => running.close());

/** The value of a field, or the code and details of the error. */
async function ask(document: string, variables: Record<string, unknown>, token = stage.token) {
  const { data, errors } = await running.graphql(document, variables, token);
  const { code, details } = errors?.[0]?.extensions ?? {};
  return errors ? { code, ...(details as object) } : Object.values(data)[0];
}

type Scope = 'GLOBAL' | 'COUNTRY' | 'REGION' | 'CENTER';
const CREATE = 'mutation ($input: CreatePolicyInput!) { createPolicy(input: $input) { id } }';

/** Creates a policy in the given scope as a permitted user; returns its id. */
async function policy(scope: Scope, actionPattern: string, guards: object, place = {}): Promise<string> {
  const input = {
    scope,
    name: `${scope} ${actionPattern}`,
    actionPattern,
    guards,
    ...(scope !== 'GLOBAL' && scope !== 'CENTER' && { country: COUNTRY }),
    ...(scope === 'REGION' && { region: REGION }),
    ...place,
  };
  const made = await ask(CREATE, { input }, scope === 'CENTER' ? stage.token : root);
  expect(made).toEqual({ id: expect.any(String) });
  return (made as { id: string }).id;
}

const GUARDS =
  'minimumEvidenceLevel humanReviewForAi riskThreshold riskRequired dualApproval approverAuthentication';
const effective = (actionType: string, token?: string) =>
  ask(
    `query ($actionType: String!) { effectivePolicy(actionType: $actionType) { sources guards { ${GUARDS} } } }`,
    { actionType },
    token,
  ) as Promise<{ guards: Record<string, unknown>; sources: Record<string, { id: string } | null> }>;

/** A policy of a row: scope, guards, and the part of the row's actions it covers (`.*` by default). */
type Word = [scope: Scope, guards: object, pattern?: string];

const dual = (dualApproval: boolean, ...enforced: string[]) => ({ dualApproval, enforced });
const risk = (riskThreshold: number, ...enforced: string[]) => ({ riskThreshold, enforced });
const level = (minimumEvidenceLevel: string, ...enforced: string[]) => ({ minimumEvidenceLevel, enforced });
const known = (approverAuthentication: string, ...enforced: string[]) => ({
  approverAuthentication,
  enforced,
});
const DUAL = 'dual_approval';
const RISK = 'risk_threshold';

describe('the narrowest scope has the last word, unless a wider one enforces more', () => {
  const rows: [name: string, words: Word[], expected: object][] = [
    ['nobody speaks', [], { riskThreshold: 0.8, approverAuthentication: 'ASSERTED', dualApproval: null }],
    [
      'a center loosens what is not enforced',
      [
        ['COUNTRY', dual(true)],
        ['CENTER', dual(false)],
      ],
      dual(false),
    ],
    [
      'world, floor on risk',
      [
        ['GLOBAL', risk(0.5, RISK)],
        ['CENTER', risk(0.9)],
      ],
      risk(0.5),
    ],
    [
      'world, risk tightened',
      [
        ['GLOBAL', risk(0.5, RISK)],
        ['CENTER', risk(0.2)],
      ],
      risk(0.2),
    ],
    [
      'country, floor on two approvers',
      [
        ['COUNTRY', dual(true, DUAL)],
        ['CENTER', dual(false)],
      ],
      dual(true),
    ],
    [
      'country, past a region',
      [
        ['COUNTRY', dual(true, DUAL)],
        ['REGION', dual(false)],
      ],
      dual(true),
    ],
    [
      'region, floor on evidence',
      [
        ['REGION', level('DOCUMENTED', 'evidence_level')],
        ['CENTER', level('DRAFT')],
      ],
      level('DOCUMENTED'),
    ],
    [
      'region, evidence tightened',
      [
        ['REGION', level('DOCUMENTED', 'evidence_level')],
        ['CENTER', level('AUDIT_READY')],
      ],
      level('AUDIT_READY'),
    ],
    [
      'country, floor on human review',
      [
        ['COUNTRY', { humanReviewForAi: true, enforced: ['human_review'] }],
        ['REGION', { humanReviewForAi: false }],
        ['CENTER', { humanReviewForAi: false }],
      ],
      { humanReviewForAi: true },
    ],
    [
      'country, floor on a rated risk',
      [
        ['COUNTRY', { ...risk(0.5, RISK), riskRequired: true }],
        ['CENTER', { riskRequired: false, riskThreshold: 1 }],
      ],
      { riskRequired: true, riskThreshold: 0.5 },
    ],
    [
      'country, floor on how approvers are known',
      [
        ['COUNTRY', known('SESSION', 'approver_authentication')],
        ['CENTER', known('ASSERTED')],
      ],
      known('SESSION'),
    ],
    [
      'the same, tightened',
      [
        ['COUNTRY', known('SESSION', 'approver_authentication')],
        ['CENTER', known('SIGNED')],
      ],
      known('SIGNED'),
    ],
    [
      'two floors: the higher one, in the country',
      [
        ['GLOBAL', risk(0.6, RISK)],
        ['COUNTRY', risk(0.4, RISK)],
        ['CENTER', risk(0.9)],
      ],
      risk(0.4),
    ],
    [
      'two floors: the higher one, in the world',
      [
        ['GLOBAL', risk(0.3, RISK)],
        ['COUNTRY', risk(0.6, RISK)],
        ['CENTER', risk(0.9)],
      ],
      risk(0.3),
    ],
    [
      'only the guard that is named is a floor',
      [
        ['COUNTRY', { ...dual(true, DUAL), riskThreshold: 0.5 }],
        ['CENTER', { ...dual(false), riskThreshold: 0.9 }],
      ],
      { dualApproval: true, riskThreshold: 0.9 },
    ],
    [
      'no way round by a narrower pattern of the center',
      [
        ['COUNTRY', dual(true, DUAL)],
        ['CENTER', dual(false), '.act'],
      ],
      dual(true),
    ],
    [
      'a floor stays one where its own scope says more about some actions',
      [
        ['COUNTRY', dual(true, DUAL)],
        ['COUNTRY', dual(true), '.act'],
        ['CENTER', dual(false)],
      ],
      dual(true),
    ],
    [
      'what is said beyond the floor can be loosened, down to the floor',
      [
        ['COUNTRY', risk(0.5, RISK)],
        ['COUNTRY', risk(0.3), '.act'],
        ['CENTER', risk(0.9)],
      ],
      risk(0.5),
    ],
    [
      'the scope that set a floor may make an exception',
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
        ids.push(await policy(scope, action + pattern, guards));
      const { guards, sources } = await effective(`${action}.act`);
      const { enforced: _enforced, ...asked } = expected as { enforced?: unknown };
      expect(guards).toMatchObject(asked);
      const source = sources[Object.keys(asked)[0]!]?.id;
      expect([...ids, 'pol_baseline']).toContain(source);
    },
  );

  test('a policy applies only in its own scope', async () => {
    await policy('COUNTRY', 'place', dual(true));
    await policy('REGION', 'place', risk(0.1));
    await policy('REGION', 'place', known('SIGNED'), { country: 'CH' });
    await policy('CENTER', 'place', level('DOCUMENTED'));
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

  test('a center cannot escape a floor by changing its country', async () => {
    const place = { country: 'LI', region: 'Oberland' };
    const { center, token } = await proofStage(running, { settings: place });
    const move = (input: object, by = token) =>
      ask(
        'mutation ($input: UpdateCenterInput!) { updateCenter(input: $input) { settings } }',
        { input },
        by,
      );
    // A guard that is not enforced may be loosened.
    await policy('COUNTRY', 'moved', risk(0.1), { country: 'LI' });
    expect(await move({ region: 'Unterland' })).toMatchObject({ settings: { region: 'Unterland' } });
    expect(await move({ region: 'Oberland' })).toMatchObject({ settings: place });
    const region = await policy('REGION', 'moved', dual(true, DUAL), place);
    for (const input of [{ region: 'Unterland' }, { region: null }, { country: 'CH' }, { country: null }]) {
      expect(await move({ ...input, name: 'Elsewhere' })).toEqual({ code: 'FORBIDDEN', policy: region });
    }
    const update = 'mutation ($input: UpdatePolicyInput!) { updatePolicy(input: $input) { active } }';
    expect(await ask(update, { input: { id: region, active: false } }, root)).toEqual({ active: false });
    const country = await policy('COUNTRY', 'moved', dual(true, DUAL), { country: 'LI' });
    expect(await move({ region: 'Unterland', name: 'Here' })).toMatchObject({ settings: { country: 'LI' } });
    expect(await move({ country: 'CH' })).toEqual({ code: 'FORBIDDEN', policy: country });
    expect((await effective('moved', token)).guards).toMatchObject({ dualApproval: true });
    const admin = await makeMember(running.app, center.id, 'ADMIN', { platformAdmin: true });
    expect(await move({ country: 'CH' }, admin.token)).toMatchObject({ settings: { country: 'CH' } });
  });
});

const human = { id: 'boss', type: 'human' };
const bot = { id: 'bot', type: 'system' };

/** The result of an approval: `sealed`, `approved` by the first of two, or the violated rule. */
type Answer = {
  status: number;
  body: { data?: { sealedHash: string | null }; error?: { code: string; details?: { rule?: string } } };
};
function outcomeOf({ status, body }: Answer): string {
  if (status === 200) return body.data!.sealedHash === null ? 'open' : 'sealed';
  return body.error!.details?.rule ?? body.error!.code;
}
const approvedBy = async (eventId: string, approver: object, change: object = {}) =>
  outcomeOf(await stage.approve(eventId, { approver, ...change }));

const decide = async (action: string, more: object = {}): Promise<string> => {
  const { status, body } = await stage.post('/agents/decide', {
    agent: { id: 'a-1' },
    action: { type: action },
    ...more,
  });
  return status === 201 ? body.data.outcome : body.error.details.rule;
};
const APPROVE = 'mutation ($input: ApproveDecisionInput!) { approveDecision(input: $input) { sealedHash } }';
const PREPARE =
  'mutation ($input: PrepareApprovalInput!) { prepareApproval(input: $input) { approvalId options } }';

async function inPerson(input: object): Promise<string> {
  const said = (await ask(APPROVE, { input })) as {
    sealedHash?: string | null;
    rule?: string;
    code?: string;
  };
  if (said.sealedHash !== undefined) return said.sealedHash === null ? 'open' : 'sealed';
  return said.rule ?? said.code!;
}

async function byPasskey(eventId: string): Promise<string> {
  const input = { eventId, result: 'approved', reason: 'Seen.' };
  const prepared = (await ask(PREPARE, { input })) as { approvalId: string; options: { challenge: string } };
  const { approvalId, options } = prepared;
  return inPerson({ ...input, approvalId, assertion: passkey.answer(options) });
}

describe('how an approver must be known', () => {
  const RULE = 'approver_authentication';
  /** The result of an approval by a key, by a signed-in person, by their passkey, and by the service itself. */
  const rows: [asked: string, expected: string[]][] = [
    ['ASSERTED', ['sealed', 'sealed', 'sealed', 'completed']],
    ['SESSION', [RULE, 'sealed', 'sealed', 'awaiting_approval']],
    ['SIGNED', [RULE, RULE, 'sealed', 'awaiting_approval']],
  ];
  test.each(rows)('%s: by key, session, passkey, system', async (asked, expected) => {
    const type = `known.${asked}`;
    await policy('CENTER', type, known(asked));
    const event = async () => (await stage.record({ action: { type } })).id as string;
    const said = [
      await approvedBy(await event(), human),
      await inPerson({ eventId: await event(), result: 'approved' }),
      await byPasskey(await event()),
      await decide(type),
    ];
    expect(said).toEqual(expected);
    // A key that calls its approver a system is still a key; a rejection needs no authentication level.
    expect(await approvedBy(await event(), bot)).toBe(expected[0]);
    expect(await approvedBy(await event(), human, { result: 'rejected' })).toBe('open');
  });

  test('a floor of the country holds whatever the center says, and names its policy', async () => {
    const id = await policy('COUNTRY', 'guarded.*', known('SESSION', RULE));
    await policy('CENTER', 'guarded.act', known('ASSERTED'));
    const event = await stage.record({ action: { type: 'guarded.act' } });
    const { body } = await stage.approve(event.id);
    expect(body.error).toMatchObject({ code: 'POLICY_VIOLATION', details: { policy: id, rule: RULE } });
    expect(await inPerson({ eventId: event.id, result: 'approved' })).toBe('sealed');
    const { body: proof } = await stage.get(`/evidence/${event.evidence.id}/export`);
    expect(proof.evidence.policy.guards).toContainEqual(
      expect.objectContaining({ guard: RULE, verdict: 'pass', policy: id }),
    );
    expect((await verifyProof(JSON.stringify(proof))).verdict).toBe('consistent');
  });

  test('of two approvers each must be so known', async () => {
    await policy('CENTER', 'known.twice', { ...known('SESSION'), dualApproval: true });
    const { id } = await stage.record({ action: { type: 'known.twice' } });
    expect(await inPerson({ eventId: id, result: 'approved' })).toBe('open');
    expect(await approvedBy(id, human)).toBe(RULE);
    expect(await inPerson({ eventId: id, result: 'approved' })).toBe('CONFLICT');
  });
});

describe('a risk', () => {
  const rows: [guards: object, riskScore: number | undefined, expected: string][] = [
    [{ riskThreshold: 0.8 }, undefined, 'completed'],
    [{ riskThreshold: 0.8 }, 0.8, 'completed'],
    [{ riskThreshold: 0.8 }, 0.81, 'awaiting_approval'],
    [{ riskThreshold: 0.8, riskRequired: true }, undefined, 'awaiting_approval'],
    [{ riskThreshold: 0.8, riskRequired: true }, 0.8, 'completed'],
    [{ riskThreshold: 0, riskRequired: true }, undefined, 'awaiting_approval'],
    [{ riskThreshold: 0 }, 0, 'completed'],
    // A missing score counts as 1, and 1 is not over 1.
    [{ riskThreshold: 1, riskRequired: true }, undefined, 'completed'],
    // The baseline's threshold applies if the policy sets none.
    [{ riskRequired: true }, undefined, 'awaiting_approval'],
  ];
  test.each(rows.map((row, i) => [...row, `risk${i}`] as const))(
    'under %j, rated %s: %s',
    async (guards, riskScore, expected, type) => {
      await policy('CENTER', type, guards);
      expect(await decide(type, riskScore === undefined ? {} : { riskScore })).toBe(expected);
    },
  );

  test('without a risk score needs a person, not a system', async () => {
    await policy('CENTER', 'unrated', { riskThreshold: 0.5, riskRequired: true });
    const { id } = await stage.record({ action: { type: 'unrated' } });
    expect(await approvedBy(id, bot)).toBe('risk_threshold');
    expect(await approvedBy(id, human)).toBe('sealed');
  });
});

describe('an AI decides, however it is labelled', () => {
  beforeAll(async () => {
    await policy('CENTER', 'reviewed', { humanReviewForAi: true });
  });
  const person = { id: 'clerk', type: 'human' };
  const aiContext = { model: 'm-1' };
  const rows: [name: string, event: object, isAi: boolean][] = [
    ['the actor is one', { type: 'custom', actor: { id: 'x', type: 'ai_agent' } }, true],
    ['a person with a model', { type: 'human_approval', actor: person, aiContext }, true],
    ['a person with an empty model', { type: 'custom', actor: person, aiContext: {} }, true],
    [
      'a system with a model',
      { type: 'automated_action', actor: { id: 'x', type: 'system' }, aiContext },
      true,
    ],
    ['a recommendation', { type: 'ai_recommendation', actor: person }, true],
    ['an execution', { type: 'agent_execution', actor: { id: 'x', type: 'service' } }, true],
    ['a person', { type: 'custom', actor: person }, false],
    ['a service', { type: 'workflow_step', actor: { id: 'x', type: 'service' } }, false],
  ];
  test.each(rows)('%s', async (_, event, isAi) => {
    const { id } = await stage.record({ aiContext: undefined, action: { type: 'reviewed' }, ...event });
    expect(await approvedBy(id, bot)).toBe(isAi ? 'human_review' : 'sealed');
    if (isAi) expect(await approvedBy(id, human)).toBe('sealed');
  });

  test('an agent that asks for itself', async () => {
    expect(await decide('reviewed', { riskScore: 0 })).toBe('awaiting_approval');
  });
});

describe('no one approves their own decision', () => {
  const SELF = 'self_approval';
  const id = 'Office Straße-7é';
  const spellings: [name: string, spelling: string][] = [
    ['as it is', id],
    ['in capitals', 'OFFICE STRASSE-7É'],
    ['in small letters', 'office strasse-7é'],
    ['decomposed', id.normalize('NFD')],
    ['with a ligature and wide letters', 'Oﬃce Ｓtraße-７é'],
    ['between spaces', `  ${id}\u00a0\u3000`],
    ['with a no-break space inside', id.replace(' ', '\u00a0')],
    ['with a zero-width space', id.replace('ff', 'f\u200bf')],
    ['with a joiner, a soft hyphen and a byte order mark', `\ufeffOf\u200dfi\u00adce Straße-7é`],
    ['with directional marks', `\u202e${id}\u202c\u200f`],
    ['with a variation selector and a tag', `${id}\ufe0f\u{e0041}`],
    ['with fillers', `Off\u3164ice\u2800 Straße-7é`],
  ];
  const aiActor = { type: 'custom', actor: { id, type: 'ai_agent' } };
  const clerk = { type: 'custom', actor: { id, type: 'human' } };
  const states: [name: string, guards: object | null, event: object, expected: string][] = [
    ['as the AI actor, whatever the policy says', null, aiActor, SELF],
    ['as the actor, where two approve', { dualApproval: true }, clerk, SELF],
    [
      'as the actor, where an AI decision is reviewed',
      { humanReviewForAi: true },
      { ...clerk, aiContext: { model: 'm' } },
      SELF,
    ],
    ['as the actor, where review does not concern them', { humanReviewForAi: true }, clerk, 'sealed'],
    ['as the actor, where nothing is asked', null, clerk, 'sealed'],
  ];
  test.each(states.map((state, i) => [...state, `own${i}`] as const))(
    '%s, in every spelling',
    async (_, guards, event, expected, type) => {
      if (guards) await policy('CENTER', type, guards);
      const said = await Promise.all(
        spellings.map(async ([name, spelling]) => {
          const recorded = await stage.record({ aiContext: undefined, action: { type }, ...event });
          const answers = [await approvedBy(recorded.id, { id: spelling, type: 'human' })];
          // Anyone may reject, including their own decision.
          if (expected === SELF) {
            answers.push(
              await approvedBy(recorded.id, { id: spelling, type: 'human' }, { result: 'rejected' }),
            );
          }
          return [name, ...answers];
        }),
      );
      const each = expected === SELF ? [SELF, 'open'] : [expected];
      expect(said).toEqual(spellings.map(([name]) => [name, ...each]));
    },
  );

  test('nor twice under two spellings', async () => {
    await policy('CENTER', 'twice', { dualApproval: true });
    const { id: eventId } = await stage.record({ action: { type: 'twice' } });
    expect(await approvedBy(eventId, { id, type: 'human' })).toBe('open');
    const again = await Promise.all(
      spellings.map(([, spelling]) => approvedBy(eventId, { id: spelling, type: 'human' })),
    );
    expect(new Set(again)).toEqual(new Set(['CONFLICT']));
    expect(await approvedBy(eventId, human)).toBe('sealed');
  });

  test('nor signed in, nor with a passkey, nor by the service for an agent of its name', async () => {
    await policy('CENTER', 'in-person', { dualApproval: true });
    const actor = { id: ` ${stage.admin.actor.id.toUpperCase()}\u200b`, type: 'human' };
    const record = async () =>
      (await stage.record({ type: 'custom', actor, aiContext: undefined, action: { type: 'in-person' } })).id;
    expect(await inPerson({ eventId: await record(), result: 'approved' })).toBe(SELF);
    expect(await byPasskey(await record())).toBe(SELF);
    expect(await inPerson({ eventId: await record(), result: 'rejected' })).toBe('open');
    expect(await decide('service', { agent: { id: ' COUNTERSIGN\u200b' } })).toBe('awaiting_approval');
    expect(await decide('service', { agent: { id: 'countersign-2' } })).toBe('completed');
  });
});
