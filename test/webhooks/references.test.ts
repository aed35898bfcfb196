import pg from 'pg';
import { expect, test } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { runAs } from '../helpers/server.ts';
import { makeStage } from '../helpers/world.ts';
import { emitEvent, subscribe } from './stage.ts';

const NOWHERE = 'http://127.0.0.1:9/';

test('the tables reject a delivery without event or webhook, and the deletion of either while referenced', async () => {
  const running = await testApp();
  const { key, center } = await makeStage(running.app);
  const { id } = await subscribe(running, key, NOWHERE);
  const eventId = await emitEvent(running.app, center.id);
  const insert = 'INSERT INTO delivery (webhook_id, event_id, center_id) VALUES ($1, $2, $3)';
  const refused: [string, string, unknown[]][] = [
    ['a webhook that is not there', insert, ['whk_none', eventId, center.id]],
    ['an event that is not there', insert, [id, 'msg_none', center.id]],
    ['an event with a delivery', 'DELETE FROM platform_event WHERE id = $1', [eventId]],
    ['a webhook with a delivery', 'DELETE FROM webhook WHERE id = $1', [id]],
  ];
  for (const [what, sql, values] of refused) {
    await expect(runAs(running.database.adminUrl, sql, values), what).rejects.toMatchObject({
      code: '23503',
    });
  }
});

test('recovery creates no delivery for an event that is deleted concurrently', async () => {
  const running = await testApp();
  const { key, token, center } = await makeStage(running.app);
  const since = new Date().toISOString();
  const eventId = await emitEvent(running.app, center.id);
  const { id } = await subscribe(running, key, NOWHERE);
  const housekeeping = new pg.Client(running.database.adminUrl);
  await housekeeping.connect();
  try {
    await housekeeping.query('BEGIN');
    await housekeeping.query('DELETE FROM platform_event WHERE id = $1', [eventId]);
    const recovered = running.graphql(
      'mutation ($input: RecoverWebhookInput!) { recoverWebhook(input: $input) { queued } }',
      { input: { webhookId: id, since, scope: 'ALL' } },
      token,
    );
    await eventually(async () => {
      const waiting = `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INSERT INTO delivery%'`;
      return (await runAs(running.database.adminUrl, waiting)).rowCount === 1;
    });
    await housekeeping.query('COMMIT');
    expect((await recovered).data).toEqual({ recoverWebhook: { queued: 0 } });
  } finally {
    await housekeeping.end();
  }
  const orphans = 'SELECT FROM delivery WHERE webhook_id = $1';
  expect((await runAs(running.database.adminUrl, orphans, [id])).rowCount).toBe(0);
});
