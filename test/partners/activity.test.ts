import { expect, test } from 'vitest';
import { sweep } from '../../src/domain/housekeeping/sweep.ts';
import { foldTallies } from '../../src/domain/tallies/tally.ts';
import { testApp } from '../helpers/app.ts';
import { inOneDay } from '../helpers/same-day.ts';
import { makeMember, makePartner } from '../helpers/world.ts';

test('activity of past days is deleted, that of today stays counted', async () => {
  await inOneDay();
  const { app, call } = await testApp();
  const { token, centers } = await makePartner(app);
  const { actor } = await makeMember(app, centers[0]!.id);
  const long = new Date(Date.now() - 10 * 86_400_000);
  await app.db.acrossTenants.session.updateMany({ where: { actorId: actor.id }, data: { lastUsedAt: long } });
  await foldTallies(app.db.pool);
  const keys = async () =>
    (await app.db.acrossTenants.tally.findMany({ where: { key: { startsWith: 'active:' } } })).length;
  expect([await keys(), await app.db.acrossTenants.partnerActivity.count()]).toEqual([2, 2]);
  await sweep(app);
  expect([await keys(), await app.db.acrossTenants.partnerActivity.count()]).toEqual([1, 1]);
  expect((await call('GET', '/partner/stats/dashboard', { token })).body.data.activeToday).toBe(1);
});
