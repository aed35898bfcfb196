import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeStage } from '../helpers/world.ts';
import { makeWorkflow, text } from '../workflows/steps.ts';

let house: TestApp;
beforeAll(async () => {
  house = await startTestApp();
});
afterAll(() => house.close());

const entriesOf = async (centerId: number, type: string) =>
  (
    await house.app.db.forCenter(centerId).auditEntry.findMany({ where: { type }, orderBy: { id: 'asc' } })
  ).map(({ target, actorId, detail }) => ({ target, actorId, detail }));

test('the audit log records the actor who creates, changes, pauses, resumes or deletes a workflow', async () => {
  const { center, admin, token } = await makeStage(house.app);
  const id = await makeWorkflow(house, token, [text('one')], { name: 'Greet' });
  for (const move of ['pause', 'resume', 'delete']) {
    const { errors } = await house.graphql(
      `mutation ($id: ID!) { ${move}Workflow(input: { id: $id }) { id } }`,
      { id },
      token,
    );
    expect(errors).toBeUndefined();
  }
  expect(await entriesOf(center.id, 'center.updated')).toEqual(
    ['created', 'paused', 'resumed', 'deleted'].map((change) => ({
      target: id,
      actorId: admin.actor.id,
      detail: { change, kind: 'workflow', name: 'Greet' },
    })),
  );
});

test('companion-app tokens are audited when they are created and when they are used', async () => {
  const { center, admin, token } = await makeStage(house.app);
  const made = await house.call('POST', '/auth/sso/token', { token, body: { targetApp: 'lms' } });
  await house.call('POST', '/auth/sso/verify', { body: { token: made.body.data.token } });
  expect(await entriesOf(center.id, 'auth.signed_in')).toEqual(
    ['created', 'used'].map((sso) => ({
      target: expect.any(String),
      actorId: admin.actor.id,
      detail: { sso, targetApp: 'lms' },
    })),
  );
});
