import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { mailTo, tokenIn } from '../helpers/mail.ts';
import { makeActor, makeCenter, makePartner, makeStage, makeToken } from '../helpers/world.ts';

const password = 'correct horse battery';
let house: TestApp;
beforeAll(async () => {
  house = await startTestApp({ worker: true });
});
afterAll(() => house.close());

/** The only field of the answer, or the code of the error. */
async function ask(document: string, variables: Record<string, unknown> = {}, token?: string) {
  const { data, errors } = await house.graphql(document, variables, token);
  return errors ? errors[0]!.extensions.code : Object.values(data as object)[0];
}

async function acceptMail(email: string) {
  const token = tokenIn(await mailTo(house, email, 'Invitation'));
  const offer = await ask(
    'mutation ($token: String!) { readInvitation(input: { token: $token }) { approver { kind name } } }',
    { token },
  );
  const accepted = await ask(
    `mutation ($input: AcceptInvitationInput!) { acceptInvitation(input: $input) { id status } }`,
    { input: { token, password, name: 'Nora New' } },
  );
  return { ...offer, ...accepted };
}

const APPROVE = `mutation ($id: ID!) { approveMembership(input: { membershipId: $id }) { status } }`;
const WAITING = `{ partnerMembers(status: PENDING) { totalCount edges { node { id centerName } } } }`;

test('the partner of a new center is notified of an acceptance, lists it as pending, and approves it', async () => {
  const { app } = house;
  const { partner, token, actor } = await makePartner(app);
  const other = await makePartner(app);
  const created = await house.call('POST', '/partner/centers', {
    token,
    body: { name: 'Quay School', tenantType: 'CENTER', vertical: 'education', adminEmail: 'nora@quay.test' },
  });
  expect(created.status).toBe(201);
  const invitation = await mailTo(house, 'nora@quay.test', 'Invitation');
  expect(invitation.text).toContain(`${partner.name} approves your membership`);
  const { id, status, approver } = await acceptMail('nora@quay.test');
  expect([status, approver]).toEqual(['PENDING', { kind: 'PARTNER', name: partner.name }]);

  const notice = await mailTo(house, actor.email!, 'is waiting for your approval');
  expect(notice.subject).toBe('Nora New is waiting for your approval');
  expect(notice.links[0]).toMatch(/\/partner\/members\?status=PENDING$/);
  expect(await ask(WAITING, {}, token)).toEqual({
    totalCount: 1,
    edges: [{ node: { id, centerName: 'Quay School' } }],
  });
  expect(await ask(WAITING, {}, other.token)).toEqual({ totalCount: 0, edges: [] });
  expect(await ask(APPROVE, { id }, other.token)).toBe('NOT_FOUND');
  expect(await ask(APPROVE, { id }, token)).toEqual({ status: 'ACTIVE' });
  expect((await mailTo(house, 'nora@quay.test', 'Welcome to Quay School')).links[0]).toMatch(
    /\/c\/quay-school/,
  );
  expect(await ask(WAITING, {}, token)).toEqual({ totalCount: 0, edges: [] });
});

test('ADMINs of the center are notified if there are any; otherwise the platform lists the member', async () => {
  const { app } = house;
  const { center, token, admin } = await makeStage(app);
  const root = await makeActor(app, { platformAdmin: true });
  const rootToken = await makeToken(app, root.id, null);
  const input = { email: 'child@quay.test', role: 'INSTRUCTOR' };
  await ask('mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { id } }', { input }, token);
  const { id, approver } = await acceptMail('child@quay.test');
  expect(approver).toEqual({ kind: 'CENTER', name: center.name });
  const notice = await mailTo(house, admin.actor.email!, 'is waiting for your approval');
  expect(notice.links[0]).toMatch(new RegExp(`/c/${center.centerDomain}/people\\?status=PENDING$`));
  const STRANDED = '{ strandedMembers(first: 100) { edges { node { id } } } }';
  const ids = async () =>
    (await ask(STRANDED, {}, rootToken)).edges.map((edge: { node: { id: string } }) => edge.node.id);
  expect(await ids()).not.toContain(id);
  expect(await ask(STRANDED, {}, token)).toBe('INSUFFICIENT_ROLE');

  // Without an administrator no member of the center could approve.
  await app.db.acrossTenants.membership.updateMany({
    where: { centerId: center.id, role: 'ADMIN' },
    data: { status: 'SUSPENDED' },
  });
  expect(await ids()).toContain(id);
});

test('a pending person sees who approves, until it is decided', async () => {
  const { app } = house;
  const center = await makeCenter(app);
  const person = await makeActor(app);
  const membership = await app.db.acrossTenants.membership.create({
    data: {
      id: `mbr_${'0'.repeat(25)}1`,
      actorId: person.id,
      centerId: center.id,
      role: 'ADMIN',
      status: 'PENDING',
    },
  });
  const token = await makeToken(app, person.id, null);
  const approvers = async () =>
    (await ask('{ me { memberships { approver { kind name } } } }', {}, token)).memberships;
  expect(await approvers()).toEqual([
    { approver: { kind: 'PLATFORM', name: new URL(app.config.publicUrl).host } },
  ]);
  const data = { status: 'ACTIVE' as const };
  await app.db.acrossTenants.membership.update({ where: { id: membership.id }, data });
  expect(await approvers()).toEqual([{ approver: null }]);
});
