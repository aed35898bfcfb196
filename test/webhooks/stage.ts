import type { App } from '../../src/app.ts';
import { systemContext } from '../../src/domain/context.ts';
import { type EventType, eventCatalog } from '../../src/domain/events/catalog.ts';
import { transact } from '../../src/domain/unit-of-work.ts';
import type { Answer, Parsed, TestClient } from '../helpers/client.ts';
import { eventually } from '../helpers/eventually.ts';

/** Emits an event in a center with the example data of its type; returns its id. */
export async function emitEvent(app: App, centerId: number, type: EventType = 'payment.completed') {
  const ctx = systemContext(app, 'test', centerId);
  await transact(ctx, async (work) => work.emit(type, eventCatalog[type].example as never));
  const newest = await ctx.db.platformEvent.findFirstOrThrow({ orderBy: { id: 'desc' } });
  return newest.id;
}

/** Registers a webhook over REST. */
export async function subscribe(
  { call }: TestClient,
  token: string,
  url: string,
  events: string[] = ['*'],
): Promise<{ id: string; signingSecret: string }> {
  const { status, body, text } = await call('POST', '/v1/webhooks', { token, body: { url, events } });
  if (status !== 201) throw new Error(text);
  return body;
}

/** The deliveries listed for a webhook. */
export async function deliveriesOf({ call }: TestClient, token: string, id: string): Promise<Answer['body']> {
  return (await call('GET', `/v1/webhooks/${id}/deliveries`, { token })).body.data;
}

/** Waits until the newest delivery of a webhook matches, and returns it. */
export async function deliveryBecomes(
  client: TestClient,
  token: string,
  id: string,
  condition: (delivery: Parsed) => boolean,
) {
  let newest: Answer['body'];
  await eventually(async () => {
    [newest] = await deliveriesOf(client, token, id);
    return newest !== undefined && condition(newest);
  });
  return newest;
}
