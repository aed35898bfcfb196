import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { type ProofStage, proofStage } from './stage.ts';

let running: TestApp;
let stage: ProofStage;
let policyId: string;
beforeAll(async () => {
  running = await startTestApp();
  stage = await proofStage(running);
  policyId = (await stage.policy({}, 'audit.*')).id;
});
afterAll(() => running.close());

const IN_AN_HOUR = () => new Date(Date.now() + 3_600_000).toISOString();
const mandate = (actionPattern: string) =>
  stage.post('/mandates', { agent: { id: 'a' }, actionPattern, validUntil: IN_AN_HOUR(), reason: 'Test' });
const CREATE = 'mutation ($input: CreatePolicyInput!) { createPolicy(input: $input) { actionPattern } }';
const policy = (actionPattern: string) =>
  stage.ask(CREATE, { input: { scope: 'CENTER', name: 'Rule', actionPattern, guards: {} } });
const UPDATE = 'mutation ($input: UpdatePolicyInput!) { updatePolicy(input: $input) { actionPattern } }';
const changedPolicy = (actionPattern: string) =>
  stage.ask(UPDATE, { input: { id: policyId, actionPattern } });
const SIMULATE = 'query ($input: SimulatePolicyInput!) { simulatePolicy(input: $input) { outcome } }';
const simulate = (actionType: string) =>
  stage.ask(SIMULATE, { input: { actionType, actorType: 'ai_agent' } });
const RECORD = `mutation ($input: RecordDecisionEventInput!) {
  recordDecisionEvent(input: $input) { event { action { type } } } }`;
const person = (type: string) =>
  stage.ask(RECORD, { input: { type: 'custom', actor: { id: 'a', type: 'human' }, action: { type } } });

/** The code that each way to name an action type or a pattern answers with. */
async function refusals(type: string) {
  const decided = await stage.post('/agents/decide', { agent: { id: 'a' }, action: { type } });
  const actor = { id: 'a', type: 'ai_agent' };
  const recorded = await stage.post('/decision-events', { type: 'custom', actor, action: { type } });
  const granted = await mandate(type);
  return {
    decide: decided.body.error?.code,
    field: decided.body.error?.details.fields[0].path,
    record: recorded.body.error?.code,
    person: (await person(type)).code,
    mandate: granted.body.error?.code,
    policy: (await policy(type)).code,
    changedPolicy: (await changedPolicy(type)).code,
    simulator: (await simulate(type)).code,
  };
}

const code = 'VALIDATION_ERROR';
const REFUSED = {
  decide: code,
  field: 'action.type',
  record: code,
  person: code,
  mandate: code,
  policy: code,
  changedPolicy: code,
  simulator: code,
};

describe('an action type and a pattern are refused', () => {
  test.for([
    ['zero-width space', 'law\u200b.x'],
    ['no-break space', 'law.x\u00a0y'],
    ['word joiner', '\u2060law.x'],
    ['soft hyphen', 'l\u00adaw.x'],
    ['Hangul filler', 'law\u3164.x'],
    ['blank Braille cell', 'law\u2800x'],
    ['musical null notehead', 'law\u{1d159}x'],
    ['variation selector', 'law\ufe0f.x'],
    ['tag', 'law.x\u{e0061}'],
    ['direction mark', 'law.\u202ex'],
    ['tab', 'law.\tx'],
    ['line feed', 'law\nx'],
    ['next line', 'law\u0085x'],
    ['line separator', 'law\u2028x'],
    ['wide space', 'law\u3000x'],
    ['escape', 'law\u001bx'],
    ['space at the start', ' law.x'],
    ['space at the end', 'law.x '],
    ['only a space', ' '],
    ['two spaces', 'approve  refund'],
    ['Cyrillic а in Latin', 'refund.gr\u0430nt'],
    ['Cyrillic а in a known type', 'm\u0430ndate.grant'],
    ['Greek ο in Latin', 'refund.n\u03bft'],
    ['Greek capital Α in Latin', 'REFUND.GR\u0391NT'],
    ['Greek in Cyrillic', 'платёж.возв\u03b1рат'],
    ['mathematical Greek α in Latin', 'refund.gr\u{1d6fc}nt'],
    ['micro sign in Latin', 'dose.5\u00b5g'],
    ['ohm sign in Latin', 'law.k\u2126'],
    ['wide Latin beside Cyrillic', 'refund.\uff47r\u0430nt'],
    ['a mixed segment behind a wide dot', 'refund\uff0egr\u0430nt'],
    ['a Latin and a Cyrillic word', 'refund возврат'],
  ])('%s', async ([, type]) => {
    expect(await refusals(type!)).toEqual(REFUSED);
  });
});

describe('an action type and a pattern are accepted', () => {
  test.for([
    ['single spaces', 'approve a refund.in full'],
    ['Cyrillic segments', 'платёж.возврат'],
    ['Greek segments', 'πληρωμή.επιστροφή'],
    ['segments of several scripts', 'refund.возврат.επιστροφή'],
    ['Latin with digits and accents', 'order_42.Rückzahlung-2'],
    ['Cyrillic with digits', 'заказ42.возврат-2'],
    ['CJK with Latin', 'refund退款.承認2'],
    ['Kana with Latin', 'api呼び出し.テスト'],
    ['Hangul with Latin', 'api호출.승인'],
    ['wide Latin', '\uff52efund.grant'],
  ])('%s', async ([, type]) => {
    const decided = await stage.post('/agents/decide', { agent: { id: 'a' }, action: { type } });
    expect(decided.status).toBe(201);
    const { action } = (await stage.get(`/decision-events/${decided.body.data.eventId}`)).body.data;
    expect(action.type).toBe(type);
    expect(await policy(type!)).toEqual({ actionPattern: type });
    expect((await mandate(type!)).status).toBe(201);
    expect((await simulate(type!)).code).toBeUndefined();
  });
});

test('a policy covers a type with spaces and its other spellings', async () => {
  await stage.policy({ approverAuthentication: 'SIGNED' }, 'wire money.*');
  for (const type of ['wire money.abroad', 'WIRE Money.abroad', '\uff57ire money.abroad']) {
    const { body } = await stage.post('/agents/decide', { agent: { id: 'a' }, action: { type } });
    expect(body.data.outcome).toBe('awaiting_approval');
  }
});

test('the refusal says which rule is broken', async () => {
  const messageFor = async (type: string) =>
    (await stage.post('/agents/decide', { agent: { id: 'a' }, action: { type } })).body.error.details
      .fields[0].message;
  expect(await messageFor('refund.gr\u0430nt')).toBe(
    'must not mix Latin, Greek and Cyrillic letters between two dots',
  );
  expect(await messageFor('refund. ')).toBe('must not begin or end with a space, or have two in a row');
  expect(await messageFor('refund\u200b')).toContain('invisible');
});
