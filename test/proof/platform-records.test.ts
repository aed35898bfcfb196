import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { makeStage } from '../helpers/world.ts';

const SHOW = `mutation ($disclose: [String!]!) { updateCenter(input: { proof: { disclose: $disclose } }) { id } }`;
const ERASE = `mutation ($id: ID!) { eraseDpuContent(input: { id: $id, reason: "asked to" }) { id } }`;

test('withheld and erased content of a platform record cannot be guessed from public data', async () => {
  const { app, call, fetch, graphql } = await testApp();
  const { center, token } = await makeStage(app);
  const made = await call('POST', '/dpu/demo', { token, body: {} });
  const { id, content } = made.body.data;
  await call('PUT', `/dpu/${id}`, { token, body: { evidenceLevel: 'AUDIT_READY' } });
  const record = await app.db.forCenter(center.id).dpu.findUniqueOrThrow({
    where: { id },
    include: { record: true },
  });
  const { hash, previousHash, timestamp } = record.record;
  // With the hash, its time and its neighbor, a guess at the content could be confirmed.
  const guess = createHash('sha256').update(content + (previousHash ?? '') + timestamp);
  expect(guess.digest('hex')).toBe(hash);

  const seen = async () => {
    const answers = await Promise.all([fetch(`/verify/${id}`), fetch(`/verify/${id}/proof.json`)]);
    const text = (await Promise.all(answers.map((answer) => answer.text()))).join('');
    return {
      status: answers.map(({ status }) => status),
      tells: [hash, timestamp].some((each) => text.includes(each)),
    };
  };
  const nothing = { status: [404, 404], tells: false };
  expect(await seen()).toEqual(nothing);
  expect((await graphql(SHOW, { disclose: ['content'] }, token)).errors).toBeUndefined();
  expect(await seen()).toEqual({ status: [200, 200], tells: true });
  expect((await graphql(ERASE, { id }, token)).errors).toBeUndefined();
  expect(await seen()).toEqual(nothing);
});

test('the public log contains center ids, which public endpoints do not link to names', async () => {
  const { app, call } = await testApp();
  const { center } = await makeStage(app, { settings: { proof: { enabled: false } } });
  const domain = center.centerDomain;
  const answers = [
    await call('GET', `/centers/${domain}/info`),
    await call('GET', `/whitelabel/${domain}/config`),
    await call('POST', '/centers/search', { body: { query: center.name } }),
  ];
  for (const { status, body } of answers) {
    expect(status).toBe(200);
    expect(JSON.stringify(body.data)).not.toMatch(new RegExp(`"id"|:${center.id}[,}]`));
  }
  expect((await call('GET', `/centers/${center.id}/info`)).status).toBe(404);
});
