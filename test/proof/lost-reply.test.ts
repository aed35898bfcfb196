import { expect, onTestFinished, test } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { makeClient, type TestClient } from '../helpers/client.ts';
import { eventually } from '../helpers/eventually.ts';
import { startServer } from '../helpers/process.ts';
import { relayTo } from '../helpers/relay.ts';
import { consumer } from '../webhooks/consumer.ts';
import { subscribe } from '../webhooks/stage.ts';
import { proofStage } from './stage.ts';

/** The database has committed the decision; the API process is killed before it receives the reply. */
test.each([
  ['is sealed immediately', 0.2, 'agent.decision.completed', 'completed'],
  ['waits for a person', 0.95, 'agent.approval.requested', 'awaiting_approval'],
])(
  'kill -9 between commit and reply of a decision that %s: a repeat returns it, its webhook arrives',
  {
    timeout: 60_000,
  },
  async (_, riskScore, type, outcome) => {
    const running = await testApp({ worker: true });
    const stage = await proofStage(running);
    const { url, received } = await consumer();
    await subscribe(running, stage.key, url, [type]);
    const relay = await relayTo(running.database.url);
    const doomed = await startServer({ env: { ROLE: 'api', DATABASE_URL: relay.url } });
    onTestFinished(async () => void (await doomed.end('SIGKILL')));
    const decide = (client: TestClient) =>
      client.call('POST', '/v1/agents/decide', {
        token: stage.key,
        headers: { 'Idempotency-Key': 'once' },
        body: { agent: { id: 'refund-agent' }, action: { type: 'refund.grant' }, riskScore },
      });

    const committed = relay.holdNextCommit('refund-agent');
    const unanswered = expect(decide(makeClient(doomed.url))).rejects.toThrow('fetch failed');
    await committed;
    expect(await doomed.end('SIGKILL')).toBe('SIGKILL');
    await unanswered;
    const kept = await running.app.db.acrossTenants.decisionEvent.findMany();
    expect(kept).toHaveLength(1);

    const again = await decide(running);
    expect([again.status, again.body.data.outcome]).toEqual([200, outcome]);
    expect(again.body.data.eventId).toBe(kept[0]!.id);
    await eventually(async () => {
      const open = { nextAttemptAt: { not: null } };
      return (
        received.length > 0 && (await running.app.db.acrossTenants.delivery.count({ where: open })) === 0
      );
    });
    expect(received.map(({ body }) => [body.type, body.data.eventId])).toEqual([[type, kept[0]!.id]]);
    expect(await stage.events(type)).toHaveLength(1);
    expect(await running.app.db.acrossTenants.decisionEvent.count()).toBe(1);
  },
);
