import { expect, test } from 'vitest';
import { noteApprovers } from '../../src/domain/notifications/follow.ts';
import { postDigests } from '../../src/domain/notifications/mails.ts';
import { eventually } from '../helpers/eventually.ts';
import { type Member, type NotificationStage, notificationStage } from './stage.ts';

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS);

const told = (stage: NotificationStage, member: Member) => stage.told(member);

test('members of an open seat get one mail with action, description and link', async () => {
  const stage = await notificationStage();
  const [ada, eve, outsider] = [await stage.member(), await stage.member(), await stage.member('ADMIN')];
  const type = await stage.ruled({ quorum: [{ group: await stage.group(ada, eve), count: 2 }] });
  const event = await stage.record(type, 'Pay Ann 500');
  expect(await told(stage, ada)).toBe(1);
  expect(await told(stage, ada)).toBe(1);
  expect(stage.mailsTo(eve)).toHaveLength(1);
  expect(stage.mailsTo(outsider)).toEqual([]);
  const [mail] = stage.mailsTo(ada);
  expect(mail!.subject).toBe(`A request in ${stage.center.name} is waiting for you`);
  expect(mail!.text).toContain('* Pay Ann 500');
  const link = `/c/${stage.center.centerDomain}/approvals?event=${event.id}`;
  expect(mail!.text!.match(/^http\S+$/gm)).toEqual([expect.stringContaining(link)]);
  // A mail cannot decide anything: no form, and no link except to the console.
  expect(mail!.html).not.toMatch(/<form|<button|<input/);
  expect(mail!.html!.match(/href="[^"]*"/g)).toHaveLength(1);
});

test('many decisions are sent as one mail with a count', async () => {
  const stage = await notificationStage();
  const ada = await stage.member();
  const type = await stage.ruled({ quorum: [{ group: await stage.group(ada), count: 1 }] });
  await stage.unseen(async () => {
    for (let i = 0; i < 25; i++) await stage.record(type, `Pay ${i}`);
  });
  expect(await told(stage, ada)).toBe(1);
  const [mail] = stage.mailsTo(ada);
  expect(mail!.subject).toBe(`25 requests in ${stage.center.name} are waiting for you`);
  expect(mail!.text).toContain('And 5 more.');
});

test('mails to one person are delayed by the quota and combined', async () => {
  const stage = await notificationStage({ RATE_MAIL: '10' });
  const ada = await stage.member();
  const type = await stage.ruled({ quorum: [{ group: await stage.group(ada), count: 1 }] });
  await stage.record(type);
  expect(await told(stage, ada)).toBe(1);
  for (const description of ['Second', 'Third']) {
    await stage.record(type, description);
    await stage.notify();
  }
  const waiting = await stage.app.db.acrossTenants.mail.findMany({ where: { status: 'WAITING' } });
  expect(waiting).toHaveLength(1);
  const delay = waiting[0]!.nextAttemptAt!.getTime() - Date.now();
  expect(delay).toBeGreaterThan(5 * 60_000);
  expect(delay).toBeLessThanOrEqual(6 * 60_000);
});

test('with ordered seats, people of a later seat are notified when it opens', async () => {
  const stage = await notificationStage();
  const [ada, eve] = [await stage.member(), await stage.member()];
  const quorum = [
    { group: await stage.group(ada), count: 1 },
    { group: await stage.group(eve), count: 1 },
  ];
  const event = await stage.record(await stage.ruled({ quorum, quorumOrdered: true }));
  expect(await told(stage, ada)).toBe(1);
  expect(stage.mailsTo(eve)).toEqual([]);
  await stage.approve(event.id, ada);
  expect(await told(stage, eve)).toBe(1);
  expect(stage.mailsTo(ada)).toHaveLength(1);
});

test('delegates are notified, and the escalation group after the escalation', async () => {
  const stage = await notificationStage();
  const [ada, eve, chief] = [await stage.member(), await stage.member(), await stage.member()];
  const input = {
    toMembershipId: eve.membership.id,
    from: inHours(-1),
    until: inHours(24),
    reason: 'Holiday',
  };
  const quorum = [{ group: await stage.group(ada), count: 1 }];
  await stage.ask(
    'mutation ($input: DelegateApprovalsInput!) { delegateApprovals(input: $input) { id } }',
    { input },
    ada.token,
  );
  const escalateToGroup = await stage.group(chief);
  const type = await stage.ruled({ quorum, escalateAfterSeconds: 60, escalateToGroup });
  const event = await stage.record(type);
  expect(await told(stage, eve)).toBe(1);
  expect(stage.mailsTo(chief)).toEqual([]);
  // As if the decision had been recorded two minutes ago.
  const { superuser } = stage.running;
  await superuser.query('ALTER TABLE decision_event DISABLE TRIGGER ALL');
  await superuser.query(
    `UPDATE decision_event SET created_at = $2::text::timestamptz, due_at = $2::text::timestamptz, content = jsonb_set(content, '{occurredAt}', to_jsonb($2::text))
     WHERE id = $1`,
    [event.id, new Date(Date.now() - 120_000).toISOString()],
  );
  await superuser.query('ALTER TABLE decision_event ENABLE TRIGGER ALL');
  await eventually(async () => (await told(stage, chief)) === 1);
  expect(stage.mailsTo(ada)).toHaveLength(1);
});

test('former members, people who opted out and decisions already approved get no mail', async () => {
  const stage = await notificationStage();
  const [ada, gone, quiet, daily] = [
    await stage.member(),
    await stage.member(),
    await stage.member(),
    await stage.member(),
  ];
  expect(await stage.choose('OFF', quiet)).toEqual({ mail: 'OFF' });
  await stage.choose('DAILY', daily);
  expect(await stage.ask('{ notificationSettings { mail } }', {}, quiet.token)).toEqual({ mail: 'OFF' });
  expect(await stage.ask('{ notificationSettings { mail } }', {}, ada.token)).toEqual({
    mail: 'IMMEDIATELY',
  });
  const type = await stage.ruled({
    quorum: [{ group: await stage.group(ada, gone, quiet, daily), count: 1 }],
  });
  await stage.app.db.acrossTenants.membership.update({
    where: { id: gone.membership.id },
    data: { status: 'SUSPENDED' },
  });
  const event = await stage.record(type);
  expect(await told(stage, ada)).toBe(1);
  for (const member of [gone, quiet, daily]) expect(stage.mailsTo(member)).toEqual([]);
  await stage.unseen(async () => {
    await stage.record(type);
    const last = await stage.record(type);
    await stage.approve(last.id, ada);
    await stage.approve(event.id, ada);
  });
  expect(await told(stage, ada)).toBe(2);
  expect(stage.mailsTo(ada)[1]!.subject).toMatch(/^A request in .* is waiting for you$/);
});

test('a person suspended after the mail was queued gets no mail', async () => {
  const stage = await notificationStage({ RATE_MAIL: '10' });
  const ada = await stage.member();
  const type = await stage.ruled({ quorum: [{ group: await stage.group(ada), count: 1 }] });
  await stage.record(type);
  expect(await told(stage, ada)).toBe(1);
  await stage.record(type);
  await stage.notify();
  await stage.app.db.acrossTenants.membership.update({
    where: { id: ada.membership.id },
    data: { status: 'SUSPENDED' },
  });
  await stage.app.db.pool.query(`SELECT graphile_worker.reschedule_jobs(array_agg(id), run_at := now())
    FROM graphile_worker.jobs WHERE task_identifier = 'send_mail'`);
  await stage.settled();
  expect(stage.mailsTo(ada)).toHaveLength(1);
});

test('a reminder is sent once, before the decision expires', async () => {
  const stage = await notificationStage();
  const ada = await stage.member();
  const type = await stage.ruled({ quorum: [{ group: await stage.group(ada), count: 1 }] });
  const { body } = await stage.post('/agents/decide', {
    agent: { id: 'agent' },
    action: { type, description: 'Pay' },
    expiresInSeconds: 7_200,
  });
  expect(await told(stage, ada)).toBe(1);
  const { rows } = await stage.app.db.pool.query(
    `SELECT run_at AS "runAt", payload FROM graphile_worker._private_jobs j
     JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE t.identifier = 'remind_approvers'`,
  );
  expect(rows).toHaveLength(1);
  const expiresAt = Date.parse(body.data.expiresAt);
  expect(rows[0].runAt.getTime()).toBe(expiresAt - 7_200_000 / 4);
  await noteApprovers(stage.app, rows[0].payload, new Date());
  await noteApprovers(stage.app, rows[0].payload, new Date());
  expect(await told(stage, ada)).toBe(2);
  expect(stage.mailsTo(ada)[1]!.subject).toMatch(/^A request in .* is waiting for you and expiring soon$/);
});

test('the daily digest lists all pending decisions once a day, and is not sent when there are none', async () => {
  const stage = await notificationStage();
  const [ada, boss] = [await stage.member(), await stage.member('ADMIN')];
  await stage.choose('DAILY', ada);
  await stage.choose('DAILY', boss);
  const type = await stage.ruled({ quorum: [{ group: await stage.group(ada), count: 1 }] });
  const event = await stage.record(type);
  await stage.record('open.to.any', 'Anyone');
  const round = async () => {
    await postDigests(stage.app);
    await stage.settled();
    return [stage.mailsTo(ada).length, stage.mailsTo(boss).length];
  };
  const nextDay = () =>
    stage.app.db.acrossTenants.notificationSetting.updateMany({ data: { digestAt: inHours(-24) } });
  expect(await round()).toEqual([0, 0]);
  await nextDay();
  expect(await round()).toEqual([1, 1]);
  expect(await round()).toEqual([1, 1]);
  expect(stage.mailsTo(boss)[0]!.text).toContain('Anyone');
  await stage.approve(event.id, ada);
  await nextDay();
  expect(await round()).toEqual([1, 2]);
});

test('concurrent runs notify each person once', async () => {
  const stage = await notificationStage();
  const ada = await stage.member();
  const type = await stage.ruled({ quorum: [{ group: await stage.group(ada), count: 1 }] });
  await stage.unseen(async () => {
    for (let i = 0; i < 5; i++) await stage.record(type);
  });
  await Promise.all([stage.notify(), stage.notify(), stage.notify()]);
  expect(await told(stage, ada)).toBe(1);
  expect(await stage.app.db.acrossTenants.decisionNotice.count()).toBe(5);
});
