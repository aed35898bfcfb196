import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRequest } from '../../src/api/open-request.ts';
import { prepareDocument } from '../../src/schema/execute.ts';
import { schema } from '../../src/schema/index.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeStage } from '../helpers/world.ts';
import { expectToDieYoung, MEGABYTE } from '../helpers/young.ts';

let running: TestApp;
let token: string;
let dpuId: string;
beforeAll(async () => {
  running = await startTestApp();
  ({ token } = await makeStage(running.app));
  dpuId = (await running.call('POST', '/dpu/demo', { token, body: {} })).body.data.id;
});
afterAll(() => running.close());

/** The context of a call, with something heavy hanging on it. */
async function heavyContext() {
  const request = {
    requestId: 'heavy',
    address: '127.0.0.1',
    userAgent: null,
    authorization: `Bearer ${token}`,
    cookies: {},
  };
  const context = await openRequest(running.app, request, 'token', 'caller');
  return Object.assign(context, { ballast: Buffer.alloc(MEGABYTE) });
}

test('nothing of a query outlives it', async () => {
  const run = prepareDocument(schema, 'query ($id: ID!) { dpu(id: $id) { id chainHash } }');
  await expectToDieYoung(async () => {
    const { dpu } = await run({ id: dpuId }, await heavyContext());
    expect(dpu).toMatchObject({ id: dpuId });
  });
});

test('nothing of a mutation outlives it', async () => {
  const run = prepareDocument(
    schema,
    'mutation ($input: CreateDemoDpuInput!) { createDemoDpu(input: $input) { id } }',
  );
  await expectToDieYoung(async () => {
    const { createDemoDpu } = await run({ input: {} }, await heavyContext());
    expect(createDemoDpu).toMatchObject({ id: expect.any(String) });
  });
});
