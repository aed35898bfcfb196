/** For each guard, who can approve how, with what result. Each row has its own action types, so that one center serves them all. */
import { verifyProof } from '@countersign/proof-kit/verify-proof';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import type { SoftPasskey } from '../helpers/authenticator.ts';
import { known, type PolicyStage, policyStage } from './policy-stage.ts';

let passkey: SoftPasskey;
let running: TestApp;
let stage: PolicyStage;
beforeAll(async () => {
  running = await startTestApp();
  stage = await policyStage(running);
  passkey = await stage.registerPasskey();
});
afterAll(() => running.close());

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
  const said = await stage.ask(APPROVE, { input });
  if (said.sealedHash !== undefined) return said.sealedHash === null ? 'open' : 'sealed';
  return said.rule ?? said.code;
}

async function byPasskey(eventId: string): Promise<string> {
  const input = { eventId, result: 'approved', reason: 'Seen.' };
  const { approvalId, options } = await stage.ask(PREPARE, { input });
  return inPerson({ ...input, approvalId, assertion: passkey.answer(options) });
}

describe('approver authentication', () => {
  const RULE = 'approver_authentication';
  /** The result of an approval by a key, by a signed-in person, by their passkey, and by the service itself. */
  const rows: [asked: string, expected: string[]][] = [
    ['ASSERTED', ['sealed', 'sealed', 'sealed', 'completed']],
    ['SESSION', [RULE, 'sealed', 'sealed', 'awaiting_approval']],
    ['SIGNED', [RULE, RULE, 'sealed', 'awaiting_approval']],
  ];
  test.each(rows)('%s: approval by key, session, passkey, system', async (asked, expected) => {
    const type = `known.${asked}`;
    await stage.scopedPolicy('CENTER', type, known(asked));
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

  test('enforced by the country cannot be loosened by the center, and the error contains the policy', async () => {
    const id = await stage.scopedPolicy('COUNTRY', 'guarded.*', known('SESSION', RULE));
    await stage.scopedPolicy('CENTER', 'guarded.act', known('ASSERTED'));
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

  test('is required of each of two approvers', async () => {
    await stage.scopedPolicy('CENTER', 'known.twice', { ...known('SESSION'), dualApproval: true });
    const { id } = await stage.record({ action: { type: 'known.twice' } });
    expect(await inPerson({ eventId: id, result: 'approved' })).toBe('open');
    expect(await approvedBy(id, human)).toBe(RULE);
    expect(await inPerson({ eventId: id, result: 'approved' })).toBe('CONFLICT');
  });
});

describe('risk', () => {
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
    'with %j and score %s: %s',
    async (guards, riskScore, expected, type) => {
      await stage.scopedPolicy('CENTER', type, guards);
      expect(await decide(type, riskScore === undefined ? {} : { riskScore })).toBe(expected);
    },
  );

  test('without a score requires approval by a human', async () => {
    await stage.scopedPolicy('CENTER', 'unrated', { riskThreshold: 0.5, riskRequired: true });
    const { id } = await stage.record({ action: { type: 'unrated' } });
    expect(await approvedBy(id, bot)).toBe('risk_threshold');
    expect(await approvedBy(id, human)).toBe('sealed');
  });
});

describe('a decision counts as made by an AI, however it is labelled', () => {
  beforeAll(async () => {
    await stage.scopedPolicy('CENTER', 'reviewed', { humanReviewForAi: true });
  });
  const person = { id: 'clerk', type: 'human' };
  const aiContext = { model: 'm-1' };
  const rows: [name: string, event: object, isAi: boolean][] = [
    ['an actor of type ai_agent', { type: 'custom', actor: { id: 'x', type: 'ai_agent' } }, true],
    ['a person with an AI context', { type: 'human_approval', actor: person, aiContext }, true],
    ['a person with an empty AI context', { type: 'custom', actor: person, aiContext: {} }, true],
    [
      'a system with an AI context',
      { type: 'automated_action', actor: { id: 'x', type: 'system' }, aiContext },
      true,
    ],
    ['an event of type ai_recommendation', { type: 'ai_recommendation', actor: person }, true],
    [
      'an event of type agent_execution',
      { type: 'agent_execution', actor: { id: 'x', type: 'service' } },
      true,
    ],
    ['a person', { type: 'custom', actor: person }, false],
    ['a service', { type: 'workflow_step', actor: { id: 'x', type: 'service' } }, false],
  ];
  test.each(rows)('%s', async (_, event, isAi) => {
    const { id } = await stage.record({ aiContext: undefined, action: { type: 'reviewed' }, ...event });
    expect(await approvedBy(id, bot)).toBe(isAi ? 'human_review' : 'sealed');
    if (isAi) expect(await approvedBy(id, human)).toBe('sealed');
  });

  test('an agent that requests a decision', async () => {
    expect(await decide('reviewed', { riskScore: 0 })).toBe('awaiting_approval');
  });
});

describe('self-approval', () => {
  const SELF = 'self_approval';
  const id = 'Office Straße-7é';
  const spellings: [name: string, spelling: string][] = [
    ['unchanged', id],
    ['in upper case', 'OFFICE STRASSE-7É'],
    ['in lower case', 'office strasse-7é'],
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
    ['as the AI actor, under any policy', null, aiActor, SELF],
    ['as the actor, with dual approval', { dualApproval: true }, clerk, SELF],
    [
      'as the actor, with review of AI decisions',
      { humanReviewForAi: true },
      { ...clerk, aiContext: { model: 'm' } },
      SELF,
    ],
    ['as the actor, with a review guard that does not apply', { humanReviewForAi: true }, clerk, 'sealed'],
    ['as the actor, without guards', null, clerk, 'sealed'],
  ];
  test.each(states.map((state, i) => [...state, `own${i}`] as const))(
    '%s, in every spelling',
    async (_, guards, event, expected, type) => {
      if (guards) await stage.scopedPolicy('CENTER', type, guards);
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

  test('a second approval under another spelling', async () => {
    await stage.scopedPolicy('CENTER', 'twice', { dualApproval: true });
    const { id: eventId } = await stage.record({ action: { type: 'twice' } });
    expect(await approvedBy(eventId, { id, type: 'human' })).toBe('open');
    const again = await Promise.all(
      spellings.map(([, spelling]) => approvedBy(eventId, { id: spelling, type: 'human' })),
    );
    expect(new Set(again)).toEqual(new Set(['CONFLICT']));
    expect(await approvedBy(eventId, human)).toBe('sealed');
  });

  test('by session, by passkey, and by the service for an agent with its name', async () => {
    await stage.scopedPolicy('CENTER', 'in-person', { dualApproval: true });
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
