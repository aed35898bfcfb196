/** Who gets a mail about a request or a question, what it contains, and what a hostile agent cannot do with it. */
import { expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { execute, makeWorkflow } from '../workflows/steps.ts';
import { type NotificationStage, notificationStage } from './stage.ts';

const ask = (stage: NotificationStage, change: object = {}) =>
  stage.post('/agents/decide', {
    agent: { id: 'refund-agent', name: 'Refund agent' },
    action: { type: 'refund.grant', input: { order: { id: 'A-17' }, amount: 12.5 } },
    riskScore: 0.9,
    ...change,
  });

/** Requests above a risk of 0.5 wait for an administrator. */
const risky = (stage: NotificationStage) => stage.policy({ riskThreshold: 0.5 });

test('an administrator gets a mail about a risky request, with center, agent, risk, arguments and time left', async () => {
  const stage = await notificationStage();
  await risky(stage);
  await stage.ask('mutation ($input: UpdateCenterInput!) { updateCenter(input: $input) { id } }', {
    input: {
      actionTypes: [
        {
          type: 'refund.grant',
          label: 'Refund',
          members: [{ path: 'amount', label: 'Amount', unit: 'EUR' }],
        },
      ],
    },
  });
  const [other, instructor] = [await stage.member('ADMIN'), await stage.member()];
  const { body } = await ask(stage);
  expect(await stage.told(stage.admin)).toBe(1);
  expect(stage.mailsTo(other)).toHaveLength(1);
  expect(stage.mailsTo(instructor)).toEqual([]);
  const [mail] = stage.mailsTo(stage.admin);
  expect(mail!.subject).toBe(`A request in ${stage.center.name} is waiting for you`);
  const text = mail!.text!.replaceAll(/ +/g, ' ');
  for (const part of [
    '* Refund\n',
    `Center: ${stage.center.name}`,
    'Asked by: Refund agent (AI agent), through the API key',
    'Risk: 90 %',
    'Time left: 23 hours 59 minutes, until 20',
    ' order › id = "A-17"',
    ' Amount = 12.5 EUR',
    `/c/${stage.center.centerDomain}/approvals?event=${body.data.eventId}`,
  ])
    expect(text).toContain(part);
  expect(text).not.toMatch(/key_|refund\. grant/);
});

test('a mandate and a question of a workflow reach the people who can decide them', async () => {
  const stage = await notificationStage();
  const [other, instructor] = [await stage.member('ADMIN'), await stage.member()];
  const keyId = await stage.keyId();
  await stage.ask('mutation ($input: RequestMandateInput!) { requestMandate(input: $input) { eventId } }', {
    input: {
      agent: { id: 'night-agent' },
      keys: [keyId],
      actionPattern: 'refund.grant',
      validUntil: new Date(Date.now() + 86_400_000),
      reason: 'Night shift',
    },
  });
  expect(await stage.told(other)).toBe(1);
  // The administrator who asked knows of it.
  expect(stage.mailsTo(stage.admin)).toEqual([]);
  const [mandate] = stage.mailsTo(other);
  expect(mandate!.text).toContain('* Mandate for night-agent');
  expect(mandate!.text).toContain('May do without asking = the action refund › grant');
  expect(mandate!.text).not.toContain(keyId);

  const review = {
    name: 'check',
    kind: 'human_review',
    prompt: 'Pay the bill?',
    roles: ['ADMIN', 'INSTRUCTOR'],
  };
  const workflow = await makeWorkflow(stage.running, stage.token, [review]);
  await execute(stage.running, stage.token, workflow);
  await eventually(async () => (await stage.told(instructor)) === 1);
  await eventually(async () => (await stage.told(other)) === 2);
  const [question] = stage.mailsTo(instructor);
  expect(question!.subject).toBe(`A question in ${stage.center.name} is waiting for you`);
  expect(question!.text).toContain('* Pay the bill?');
  expect(await stage.told(instructor)).toBe(1);
});

test('suspended accounts, ended memberships and people without a seat get nothing', async () => {
  const stage = await notificationStage();
  await risky(stage);
  const [suspended, ended, parent] = [
    await stage.member('ADMIN'),
    await stage.member('ADMIN'),
    await stage.member(),
  ];
  const db = stage.app.db.acrossTenants;
  await db.actor.update({ where: { id: suspended.actor.id }, data: { suspendedAt: new Date() } });
  await db.membership.update({ where: { id: ended.membership.id }, data: { status: 'ENDED' } });
  await ask(stage);
  expect(await stage.told(stage.admin)).toBe(1);
  for (const member of [suspended, ended, parent]) expect(stage.mailsTo(member)).toEqual([]);
  // A suspension after the request was noticed holds the mail back.
  const late = await stage.member('ADMIN');
  await stage.unseen(async () => void (await ask(stage)));
  await db.actor.update({ where: { id: late.actor.id }, data: { suspendedAt: new Date() } });
  expect(await stage.told(stage.admin)).toBe(2);
  expect(stage.mailsTo(late)).toEqual([]);
});

test('the requester of a decision under dual approval gets no mail about it', async () => {
  const stage = await notificationStage();
  await stage.policy({ dualApproval: true });
  const other = await stage.member('ADMIN');
  await stage.post('/decision-events', {
    type: 'custom',
    actor: { id: stage.admin.actor.id, type: 'human', name: 'Ada' },
    action: { type: 'refund.grant' },
  });
  expect(await stage.told(other)).toBe(1);
  expect(stage.mailsTo(stage.admin)).toEqual([]);
});

test('many requests of a hostile agent cause one mail in a window', async () => {
  const stage = await notificationStage({ RATE_MAIL: '10' });
  await risky(stage);
  await ask(stage);
  expect(await stage.told(stage.admin)).toBe(1);
  const mails = stage.app.db.acrossTenants.mail;
  for (let round = 0; round < 3; round++) {
    await Promise.all(Array.from({ length: 40 }, () => ask(stage)));
    await stage.notify();
    expect(await mails.count()).toBe(2);
  }
  await sendNow(stage);
  expect(await stage.told(stage.admin)).toBe(2);
  expect(stage.mailsTo(stage.admin)[1]!.subject).toMatch(/^120 requests in .* are waiting for you$/);
});

const sendNow = ({ app }: NotificationStage) =>
  app.db.pool.query(`SELECT graphile_worker.reschedule_jobs(array_agg(id), run_at := now())
    FROM graphile_worker.jobs WHERE task_identifier = 'send_mail'`);

test('notices are bounded, and a request that found no room is in the next mail', async () => {
  const stage = await notificationStage({ RATE_MAIL: '10' });
  await risky(stage);
  await ask(stage);
  expect(await stage.told(stage.admin)).toBe(1);
  // As if 1,000 requests had come and gone.
  const client = await stage.running.superuser.connect();
  await client.query("SET session_replication_role = 'replica'");
  await client.query(
    `INSERT INTO decision_notice (event_id, actor_id, occasion, center_id)
     SELECT 'evt_' || n, $1, 'WAITING', $2 FROM generate_series(1, 1000) n`,
    [stage.admin.actor.id, stage.center.id],
  );
  client.release(true);
  const { body } = await ask(stage);
  await stage.notify();
  const notices = stage.app.db.acrossTenants.decisionNotice;
  expect(await notices.count({ where: { eventId: body.data.eventId } })).toBe(0);
  await sendNow(stage);
  expect(await stage.told(stage.admin)).toBe(2);
  expect(stage.mailsTo(stage.admin)[1]!.text).toContain(body.data.eventId);
});

test('texts of an agent add no header, line, element or link to a mail, and hide nothing', async () => {
  const stage = await notificationStage();
  await risky(stage);
  const lure =
    'Pay\r\nBcc: all@evil.test\r\n\r\n<script>alert(1)</script> https://evil.test/login www.evil.test';
  await ask(stage, {
    agent: { id: 'a', name: '<b>Bank</b> pay@evil.test' },
    action: {
      type: 'evil.com',
      description: `\u202egnp.exe ${lure}`,
      input: { 'Risk\u200b': '<img src=x onerror=alert(1)>', 'evil.example': lure },
    },
  });
  expect(await stage.told(stage.admin)).toBe(1);
  const [mail] = stage.mailsTo(stage.admin);
  expect(mail!.subject).toBe(`A request in ${stage.center.name} is waiting for you`);
  expect(mail!.headers.map(({ key }) => key)).not.toContain('bcc');
  expect(mail!.to).toHaveLength(1);
  const { text, html } = mail!;
  expect(html).not.toMatch(/<(?:script|img|b)[ >]/);
  const links = [...(text!.match(/^http\S+$/gm) ?? []), ...(html!.match(/(?<=href=")[^"]*/g) ?? [])];
  expect(links).toHaveLength(2);
  for (const link of links) expect(new URL(link).origin).toBe(new URL(stage.app.config.publicUrl).origin);
  for (const body of [text!, html!.replaceAll(/href="[^"]*"/g, '')]) {
    expect(body).not.toMatch(/evil\.\w|https?:\/\/evil|\w@evil/);
    expect(body).not.toMatch(/[\u202e\u200b]/);
    expect(body).toContain('\\u202egnp');
    expect(body).toContain('Risk\\u200b');
  }
  // A line that looks like a fact of the mail is marked as an argument.
  expect(text!.match(/^Risk:/gm)).toHaveLength(1);
});
