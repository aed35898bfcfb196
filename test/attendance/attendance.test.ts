import { expect, test } from 'vitest';
import { eventCatalog } from '../../src/domain/events/catalog.ts';
import { testApp } from '../helpers/app.ts';
import { makeMember, makeStage } from '../helpers/world.ts';

const RECORD = /* GraphQL */ `
  mutation ($input: RecordAttendanceInput!) {
    recordAttendance(input: $input) { id attendeeId sessionRef method dpuId occurredAt }
  }`;
const ISSUE = /* GraphQL */ `
  mutation ($input: IssueCertificateInput!) {
    issueCertificate(input: $input) { id learnerId title courseRef dpuId issuedAt }
  }`;

test('recording an attendance several times stores it once, with one chain record and one event', async () => {
  const { app, graphql } = await testApp();
  const { center } = await makeStage(app);
  const { token } = await makeMember(app, center.id, 'INSTRUCTOR');
  const { actor } = await makeMember(app, center.id, 'CHILD');
  const input = { attendeeId: actor.id, sessionRef: 'monday', method: 'qr' };
  const answers = await Promise.all([1, 2, 3].map(() => graphql(RECORD, { input }, token)));
  const { id, dpuId, occurredAt } = answers[0]!.data.recordAttendance;
  expect(new Set(answers.map(({ data }) => data.recordAttendance.id))).toEqual(new Set([id]));

  const db = app.db.forCenter(center.id);
  const dpu = await db.dpu.findUniqueOrThrow({ where: { id: dpuId }, include: { record: true } });
  expect(dpu).toMatchObject({
    domain: 'platform',
    evidenceLevel: 'DOCUMENTED',
    referenceType: 'lms-attendance',
    referenceId: id,
  });
  expect(JSON.parse(dpu.record.content).attendance).toEqual({ id, ...input, occurredAt });
  const events = await db.platformEvent.findMany();
  expect(events.map(({ type }) => type)).toEqual(['attendance.verified']);
  const data = eventCatalog['attendance.verified'].data.parse(events[0]!.data);
  expect(data).toEqual({ attendanceId: id, ...input, dpuId, occurredAt });
});

test('a certificate is issued once and sealed, and both events are published', async () => {
  const { app, graphql } = await testApp();
  const { center, token } = await makeStage(app);
  const { actor } = await makeMember(app, center.id, 'CHILD');
  const input = { learnerId: actor.id, title: 'First aid', courseRef: 'first-aid' };
  const { data } = await graphql(ISSUE, { input }, token);
  const { id, dpuId, issuedAt } = data.issueCertificate;
  const db = app.db.forCenter(center.id);
  const dpu = await db.dpu.findUniqueOrThrow({ where: { id: dpuId } });
  expect(dpu).toMatchObject({ evidenceLevel: 'AUDIT_READY', referenceType: 'lms-event', referenceId: id });
  const events = await db.platformEvent.findMany({ orderBy: { type: 'asc' } });
  expect(events.map(({ type }) => type)).toEqual(['certificate.issued', 'dpu.sealed']);
  expect(eventCatalog['certificate.issued'].data.parse(events[0]!.data)).toEqual({
    certificateId: id,
    ...input,
    dpuId,
    issuedAt,
  });
  eventCatalog['dpu.sealed'].data.parse(events[1]!.data);
  const again = await graphql(ISSUE, { input }, token);
  expect(again.errors![0]!.extensions.code).toBe('CONFLICT');
  expect(await db.dpu.count()).toBe(1);
});

test('the attendee must be a member, and only ADMIN and INSTRUCTOR can record attendance', async () => {
  const { app, graphql } = await testApp();
  const { center, token } = await makeStage(app);
  const stranger = await makeStage(app);
  const attempt = (attendeeId: string, by: string) =>
    graphql(RECORD, { input: { attendeeId, sessionRef: 's', method: 'manual' } }, by);
  const refused = await attempt(stranger.admin.actor.id, token);
  expect(refused.errors![0]!.extensions.code).toBe('VALIDATION_ERROR');
  const parent = await makeMember(app, center.id, 'PARENT');
  const barred = await attempt(parent.actor.id, parent.token);
  expect(barred.errors![0]!.extensions.code).toBe('INSUFFICIENT_ROLE');
});

test('a PARENT reads certificates of linked children, a CHILD its own; neither can issue one', async () => {
  const { app, graphql } = await testApp();
  const { center, token } = await makeStage(app);
  const kim = await makeMember(app, center.id, 'CHILD');
  const other = await makeMember(app, center.id, 'CHILD');
  const parent = await makeMember(app, center.id, 'PARENT');
  await app.db.acrossTenants.guardianship.create({
    data: { centerId: center.id, guardianId: parent.actor.id, childId: kim.actor.id },
  });
  const issue = async (learnerId: string) => {
    const input = { learnerId, title: 'First aid', courseRef: 'first-aid' };
    return (await graphql(ISSUE, { input }, token)).data.issueCertificate.id as string;
  };
  const [ofKim, ofOther] = [await issue(kim.actor.id), await issue(other.actor.id)];
  const seenBy = async (by: string) => {
    const text = `query ($a: ID!, $b: ID!) {
      certificates { edges { node { id } } } kim: certificate(id: $a) { id } other: certificate(id: $b) { id }
    }`;
    const { data, errors } = await graphql(text, { a: ofKim, b: ofOther }, by);
    expect(errors).toBeUndefined();
    return {
      list: data.certificates.edges.map(({ node }: { node: { id: string } }) => node.id),
      one: [data.kim?.id ?? null, data.other?.id ?? null],
    };
  };
  for (const by of [parent.token, kim.token]) {
    expect(await seenBy(by)).toEqual({ list: [ofKim], one: [ofKim, null] });
    const input = { learnerId: kim.actor.id, title: 'Second aid', courseRef: 'second-aid' };
    const { errors } = await graphql(ISSUE, { input }, by);
    expect(errors?.[0]?.extensions.code).toBe('INSUFFICIENT_ROLE');
  }
  expect(await seenBy(token)).toEqual({ list: [ofOther, ofKim], one: [ofKim, ofOther] });
});
