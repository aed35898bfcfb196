import { systemContext } from '../../../src/domain/context.ts';
import { createWebhook } from '../../../src/domain/webhooks/manage.ts';
import { type GrowingCall, grow, MOST_GROWTH } from '../../harness/grow.ts';
import type { Survey } from '../../harness/scenario.ts';
import { settle } from '../../harness/settle.ts';
import type { Stage } from '../../harness/stage.ts';

/** Weeks, each with a partition of events, of deliveries and of attempts; 36 exceed the default retention. */
const SIZES = [1, 12, 36];
const EVENTS_PER_WEEK = 5_000;

/** Fills this week and the weeks before it. */
async function fillWeeks({ admin, centerId }: Stage, webhookId: string, weeks: number): Promise<void> {
  for (let week = 0; week < weeks; week++) {
    await admin.query(`SELECT make_event_weeks(now() - $1 * interval '7 days', 0)`, [week]);
    await admin.query(
      `INSERT INTO platform_event (id, center_id, type, data, created_at)
       SELECT first_id_at('msg', at) || 'a' || lpad(n::text, 16, '0'), $1, 'payment.completed', '{}', at
       FROM generate_series(1, $3::int) n, LATERAL (SELECT now() - $2 * interval '7 days' - n * interval '1 ms' AS at) m`,
      [centerId, week, EVENTS_PER_WEEK],
    );
  }
  await admin.query(
    `INSERT INTO delivery (webhook_id, event_id, center_id, status, attempts, last_attempt_at, created_at)
     SELECT $1, id, center_id, 'success', 1, created_at, created_at FROM platform_event WHERE data::text = '{}'`,
    [webhookId],
  );
  await admin.query(
    `INSERT INTO delivery_attempt (webhook_id, event_id, number, started_at, duration_ms)
     SELECT webhook_id, event_id, 1, created_at, 5 FROM delivery WHERE webhook_id = $1`,
    [webhookId],
  );
}

const EVENTS = '{ events(first: 20) { edges { node { id type } } } }';
const SAMPLE = `mutation ($id: ID!) { sendSampleEvent(input: { webhookId: $id, type: "payment.completed" }) { eventId } }`;

function webhookCalls({ key, token }: Stage, webhookId: string): GrowingCall[] {
  const byToken = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const graphql = (title: string, query: string): GrowingCall => ({
    title,
    target: MOST_GROWTH,
    call: () => ({
      method: 'POST',
      path: '/graphql',
      headers: byToken,
      body: JSON.stringify({ query, variables: query === SAMPLE ? { id: webhookId } : {} }),
    }),
  });
  return [
    {
      title: "a webhook's deliveries, first page",
      target: MOST_GROWTH,
      call: () => ({
        method: 'GET',
        path: `/api/v1/webhooks/${webhookId}/deliveries`,
        headers: { authorization: `Bearer ${key}` },
      }),
    },
    graphql('events, first page, GraphQL', EVENTS),
    graphql('an event and its delivery are written', SAMPLE),
  ];
}

export const growthOfWeeks: Survey = {
  name: 'growth-weeks',
  title: 'the same calls with more and more weeks of webhook events',
  async survey(stage, say) {
    const growth = await grow(
      {
        scenario: growthOfWeeks.name,
        of: 'weeks',
        sizes: SIZES,
        async prepare(place, size) {
          const ctx = systemContext(place.app, 'bench', place.centerId);
          const { id } = (await createWebhook(ctx, { url: 'http://127.0.0.1:9/', events: ['*'] })).webhook;
          await fillWeeks(place, id, size);
          await settle(place, ['platform_event', 'delivery', 'delivery_attempt']);
          const { port } = await place.api();
          return { port, calls: webhookCalls(place, id) };
        },
      },
      stage,
      say,
    );
    return { growth };
  },
};
