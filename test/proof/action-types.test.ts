import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeStage } from '../helpers/world.ts';

let house: TestApp;
beforeAll(async () => {
  house = await startTestApp();
});
afterAll(() => house.close());

const hidden = [
  'law\u200b.x',
  'law .x',
  'law.x\u00a0',
  '\u2060law.x',
  'l\u00adaw.x',
  'law\u3164.x',
  'law.\tx',
];

test.for(hidden)('an action type with whitespace or an invisible character is rejected: %j', async (type) => {
  const { key, token } = await makeStage(house.app);
  const decide = await house.call('POST', '/v1/agents/decide', {
    token: key,
    body: { agent: { id: 'a' }, action: { type } },
  });
  expect([decide.status, decide.body.error?.code]).toEqual([422, 'VALIDATION_ERROR']);
  const recorded = await house.call('POST', '/v1/decision-events', {
    token: key,
    body: { type: 'ai_decision', actor: { id: 'a', type: 'agent' }, action: { type } },
  });
  expect(recorded.status).toBe(422);
  const { errors } = await house.graphql(
    `mutation ($input: RecordDecisionEventInput!) { recordDecisionEvent(input: $input) { id } }`,
    { input: { type: 'ai_decision', actor: { id: 'a', type: 'agent' }, action: { type } } },
    token,
  );
  expect(errors).toBeDefined();
});
