import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeCenter } from '../helpers/world.ts';
import { makeProvider, signInWith } from './helpers/people.ts';

let it: TestApp;
beforeAll(async () => {
  it = await startTestApp();
});
afterAll(() => it.close());

async function centerWithProvider(settings: Parameters<typeof makeProvider>[2] = {}) {
  const center = await makeCenter(it.app);
  return { center, provider: await makeProvider(it.app, center.id, settings) };
}

const db = () => it.app.db.acrossTenants;
const membersOf = (centerId: number) =>
  db().membership.findMany({ where: { centerId }, include: { actor: true }, orderBy: { id: 'asc' } });
const claimsOf = (email: string, more: Record<string, unknown> = {}) => ({
  sub: randomUUID(),
  email,
  email_verified: true,
  name: 'Ann Example',
  ...more,
});

test('five first sign-ins of one subject at once make one person with one seat', async () => {
  const { center, provider } = await centerWithProvider();
  const claims = claimsOf(`five-${randomUUID()}@corp.test`);
  const signedIn = await Promise.all(Array.from({ length: 5 }, () => signInWith(it.app, provider, claims)));
  expect(new Set(signedIn.map(({ actor }) => actor.id)).size).toBe(1);
  const members = await membersOf(center.id);
  expect(members).toMatchObject([
    {
      status: 'ACTIVE',
      role: 'INSTRUCTOR',
      actor: {
        homeCenterId: center.id,
        email: null,
        phone: null,
        passwordHash: null,
        contactEmail: claims.email,
      },
    },
  ]);
  expect(await db().identity.count({ where: { centerId: center.id } })).toBe(1);
});
