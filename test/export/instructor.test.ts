import { DECISION_DOMAIN } from '@countersign/proof-kit';
import { expect, test } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { makeMember, makeStage } from '../helpers/world.ts';
import { sealDecision } from './world.ts';

test('an INSTRUCTOR, who cannot read decisions, cannot export them either', async () => {
  const { app, call } = await testApp();
  const { center, token } = await makeStage(app);
  await sealDecision(app, center.id, 1);
  const { id } = await app.db
    .forCenter(center.id)
    .dpu.findFirstOrThrow({ where: { domain: DECISION_DOMAIN } });
  const instructor = (await makeMember(app, center.id, 'INSTRUCTOR')).token;
  const exported = await call('GET', `/dpu/${id}/export`, { token: instructor });
  expect([exported.status, exported.body.error?.code]).toEqual([403, 'INSUFFICIENT_ROLE']);
  expect((await call('GET', `/dpu/${id}/export`, { token })).status).toBe(200);
});
