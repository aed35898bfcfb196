import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemContext } from '../../src/domain/context.ts';
import { transact } from '../../src/domain/unit-of-work.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { runAs } from '../helpers/server.ts';
import { makeStage } from '../helpers/world.ts';

let house: TestApp;
beforeAll(async () => {
  house = await startTestApp();
});
afterAll(() => house.close());

/** Opens the subscription and collects what arrives until it ends. */
async function subscribe(token: string) {
  const response = await house.fetch('/graphql', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ query: 'subscription { events { type } }' }),
  });
  const seen = { text: '', ended: false };
  const reading = (async () => {
    for await (const chunk of response.body!) seen.text += Buffer.from(chunk).toString();
    seen.ended = true;
  })();
  reading.catch(() => {});
  // The stream opens with a comment before anything happens.
  await eventually(() => seen.text !== '');
  return seen;
}

const count = (text: string) => text.split('payment.completed').length - 1;

async function happen(centerId: number) {
  await transact(systemContext(house.app, 'test', centerId), async ({ emit }) => {
    emit('payment.completed', {} as never);
  });
}

test('a subscription ends with its session, even while it is idle', async () => {
  const { token, center } = await makeStage(house.app);
  const other = await makeStage(house.app);
  const seen = await subscribe(token);
  const others = await subscribe(other.token);
  await happen(center.id);
  await eventually(() => count(seen.text) === 1);

  await house.graphql('mutation { logout }', {}, token);
  await eventually(() => seen.ended);
  await happen(center.id);
  await happen(other.center.id);
  await eventually(() => count(others.text) === 1);
  expect(count(seen.text)).toBe(1);
  expect(others.ended).toBe(false);
  await house.graphql('mutation { logout }', {}, other.token);
  await eventually(() => others.ended);
});

test.each([
  ['membership is suspended', `UPDATE membership SET status = 'SUSPENDED' WHERE center_id = $1`],
  ['role is removed', `UPDATE membership SET role = 'CHILD' WHERE center_id = $1`],
  ['center is suspended', `UPDATE center SET status = 'SUSPENDED' WHERE id = $1`],
])('a subscription ends when the %s', async (_, sql) => {
  const { token, center } = await makeStage(house.app);
  const seen = await subscribe(token);
  await runAs(house.database.adminUrl, sql, [center.id]);
  await eventually(() => seen.ended);
});
