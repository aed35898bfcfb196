import { expect, onTestFinished, test } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { answer, type Consumer, consumer } from '../webhooks/consumer.ts';
import { type Answer, stageOn } from './stage.ts';

const SAVE = `mutation ($input: SaveChatChannelInput!) {
  saveChatChannel(input: $input) { id name kind host lastSentAt problem }
}`;

async function chatStage(env: Record<string, string> = {}) {
  const running = await testApp({ worker: true, env });
  const stage = await stageOn(running);
  const save = (url: string, kind = 'GENERIC', name = 'Finance chat') =>
    stage.ask(SAVE, { input: { name, url, kind } });
  const channels = () => stage.ask('{ chatChannels { id name kind host lastSentAt problem } }');
  /** Sends nothing until `arrives`, however often the worker looks for new decisions meanwhile. */
  const hold = () =>
    stage.app.db.acrossTenants.chatChannel.updateMany({
      data: { nextAttemptAt: new Date(Date.now() + 3_600_000) },
    });
  /** Waits until this many messages have arrived: messages to one chat are spaced out. */
  const arrives = (chat: Consumer, count: number) =>
    eventually(async () => {
      await stage.app.db.acrossTenants.chatChannel.updateMany({ data: { nextAttemptAt: null } });
      await stage.notify();
      return chat.received.length >= count;
    });
  return { ...stage, save, channels, hold, arrives };
}

test('a chat channel gets pending and decided decisions, but none that needed no approval', async () => {
  const chat = await consumer();
  const stage = await chatStage();
  await stage.record('before.the.channel');
  await stage.save(chat.url);
  const event = await stage.record('refund.grant', 'Refund order 17');
  await stage.post('/agents/decide', {
    agent: { id: 'bot' },
    action: { type: 'alone', description: 'Alone' },
  });
  await stage.arrives(chat, 1);
  const base = `/c/${stage.center.centerDomain}`;
  const decision = { actionType: 'refund.grant', description: 'Refund order 17' };
  const none = { waiting: 0, decided: 0 };
  expect(chat.received[0]!.body).toEqual({
    decisions: [
      { state: 'waiting', ...decision, link: expect.stringContaining(`${base}/approvals?event=${event.id}`) },
    ],
    more: none,
    link: expect.stringContaining(`${base}/approvals`),
  });
  await stage.approve(event.id, stage);
  await stage.arrives(chat, 2);
  expect(chat.received[1]!.body).toMatchObject({
    decisions: [
      { state: 'decided', ...decision, link: expect.stringContaining(`${base}/decisions/${event.id}`) },
    ],
    more: none,
  });
  expect(JSON.stringify(chat.received)).not.toMatch(/before\.the\.channel|alone/i);
  expect(await stage.channels()).toMatchObject([{ lastSentAt: expect.any(String), problem: null }]);
});

test('many decisions are sent as one message', async () => {
  const chat = await consumer();
  const stage = await chatStage();
  await stage.save(chat.url);
  await stage.hold();
  for (let i = 0; i < 30; i++) await stage.record('refund.grant', `Refund ${i}`);
  await stage.notify();
  await stage.arrives(chat, 1);
  expect(chat.received[0]!.body).toMatchObject({ more: { waiting: 20, decided: 0 } });
  expect(chat.received[0]!.body.decisions).toHaveLength(10);
  await stage.record('refund.grant', 'Last');
  await stage.arrives(chat, 2);
  expect(chat.received[1]!.body.decisions).toMatchObject([{ description: 'Last' }]);
});

const ATTACK =
  '<!channel> <!here> <@U024BE7LH> @channel @everyone <https://evil.example|Approve> [Approve](https://evil.example) **now** <at>all</at> &lt;!here&gt;';
/** All texts of a message. */
const textsOf = (value: Answer): string[] =>
  typeof value === 'string'
    ? [value]
    : value && typeof value === 'object'
      ? Object.values(value).flatMap(textsOf)
      : [];

test.each(['SLACK', 'TEAMS', 'GENERIC'])(
  '%s: text written by an agent is not interpreted as markup, link or mention',
  async (kind) => {
    const chat = await consumer();
    const stage = await chatStage();
    await stage.save(chat.url, kind);
    await stage.record('<!channel>', ATTACK);
    await stage.arrives(chat, 1);
    const { body, raw } = chat.received[0]!;
    expect(raw).not.toContain('evil.example');
    expect(raw).not.toMatch(/@(channel|everyone|U024)/);
    if (kind === 'SLACK') {
      expect(body).toMatchObject({ parse: 'none', link_names: false, mrkdwn: false, unfurl_links: false });
      const written = textsOf(body).filter((text) => text.includes('channel'));
      expect(written.length).toBeGreaterThan(0);
      for (const text of written) expect(text).not.toMatch(/<|>/);
      const formatted = body.blocks.flatMap(({ elements = [] }: Answer) => elements);
      for (const { text } of formatted) expect(text).toMatch(/^<http[^<>|]+\|Open in Countersign>$/);
      const plain = body.blocks.filter(({ text }: Answer) => text).map(({ text }: Answer) => text.type);
      expect(new Set(plain)).toEqual(new Set(['plain_text']));
    }
    if (kind === 'TEAMS') {
      const blocks = body.attachments[0].content.body;
      // A TextBlock is read as Markdown, a TextRun is not; and a mention needs an entity.
      for (const { type, text } of blocks) {
        if (type === 'TextBlock') expect(text).toMatch(/^\[Open in Countersign\]\(http[^()]+\)$/);
      }
      expect(raw).not.toContain('entities');
    }
  },
);

test('a message that fails is retried, and dropped after the last attempt', async () => {
  const chat = await consumer((_, response, count) => response.writeHead(count < 3 ? 500 : 200).end());
  const stage = await chatStage({ WEBHOOK_RETRY_DELAYS: '0.05,0.05,0.05' });
  await stage.save(chat.url);
  const event = await stage.record('refund.grant');
  await stage.arrives(chat, 3);
  await eventually(async () => (await stage.channels())[0].problem === null);
  await stage.approve(event.id, stage);
  await stage.arrives(chat, 4);
  expect(chat.received.map(({ body }) => body.decisions[0].state)).toEqual([
    'waiting',
    'waiting',
    'waiting',
    'decided',
  ]);
  const dead = await consumer(answer(500));
  await stage.save(dead.url);
  await stage.record('refund.grant');
  await stage.arrives(dead, 4);
  await eventually(
    async () => (await stage.app.db.acrossTenants.chatNotice.count({ where: { sentAt: null } })) === 0,
  );
  expect(await stage.channels()).toMatchObject([{ problem: 'The chat answered with status 500.' }]);
});

test('a message claimed by a worker that died is sent by another', async () => {
  const chat = await consumer();
  const stage = await chatStage();
  await stage.save(chat.url);
  // As left behind by a worker that claimed the notices and was killed.
  const { superuser } = stage.running;
  await superuser.query(`CREATE FUNCTION leased() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    NEW.leased_until := now() + interval '1 hour'; RETURN NEW; END $$;
    CREATE TRIGGER leased BEFORE INSERT ON chat_notice FOR EACH ROW EXECUTE FUNCTION leased()`);
  await stage.record('refund.grant');
  await stage.notify();
  await superuser.query('DROP TRIGGER leased ON chat_notice');
  expect(await stage.app.db.acrossTenants.chatNotice.count({ where: { leasedUntil: { not: null } } })).toBe(
    1,
  );
  expect(chat.received).toEqual([]);
  await superuser.query(`UPDATE chat_notice SET leased_until = now() - interval '1 second'`);
  await stage.arrives(chat, 1);
});

test('ADMINs manage channels; the URL is stored encrypted and not shown', async () => {
  const chat = await consumer();
  const stage = await chatStage({ WEBHOOK_ALLOW_PRIVATE: '1' });
  const saved = await stage.save(`${chat.url}/T000/secret-token`, 'SLACK');
  expect(saved).toMatchObject({ name: 'Finance chat', kind: 'SLACK', host: new URL(chat.url).host });
  const again = await stage.save(`${chat.url}/T000/secret-token`, 'GENERIC');
  expect(again).toMatchObject({ id: saved.id, kind: 'GENERIC' });
  expect(await stage.channels()).toHaveLength(1);
  const { rows } = await stage.running.superuser.query(
    'SELECT c::text FROM chat_channel c UNION ALL SELECT a::text FROM audit_entry a',
  );
  expect(JSON.stringify(rows)).not.toContain('secret-token');
  expect(JSON.stringify(rows)).toContain('chat channel changed');
  const test = 'mutation ($id: ID!) { testChatChannel(id: $id) { id } }';
  await stage.ask(test, { id: saved.id });
  await eventually(() => chat.received.length === 1);
  expect(chat.received[0]!.body).toEqual({ text: expect.stringContaining('test message') });
  await eventually(async () => (await stage.channels())[0].lastSentAt !== null);
  const instructor = await stage.member();
  for (const field of ['chatChannels { id }', `x: chatChannels { id }`]) {
    expect(await stage.ask(`{ ${field} }`, {}, instructor.token)).toEqual({ code: 'INSUFFICIENT_ROLE' });
  }
  expect(await stage.ask(test, { id: saved.id }, instructor.token)).toEqual({ code: 'INSUFFICIENT_ROLE' });
  const remove = 'mutation ($id: ID!) { deleteChatChannel(id: $id) { id } }';
  expect(await stage.ask(remove, { id: saved.id })).toEqual({ id: saved.id });
  expect(await stage.ask(remove, { id: saved.id })).toEqual({ code: 'NOT_FOUND' });
  expect(await stage.channels()).toEqual([]);
});

test('private and local addresses are rejected', async () => {
  const running = await testApp({ env: { WEBHOOK_ALLOW_PRIVATE: '0' } });
  onTestFinished(() => running.close());
  const stage = await stageOn(running);
  for (const url of [
    'http://127.0.0.1:9/x',
    'http://169.254.169.254/latest',
    'file:///etc/passwd',
    'nonsense',
  ]) {
    const input = { name: 'Chat', url, kind: 'GENERIC' };
    expect(await stage.ask(SAVE, { input })).toEqual({ code: 'VALIDATION_ERROR' });
  }
});
