import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { makeClient } from '../helpers/client.ts';
import { eventually } from '../helpers/eventually.ts';
import { startServer } from '../helpers/process.ts';
import { makeStage } from '../helpers/world.ts';
import { decision } from '../proof/decisions.ts';
import { consumer } from '../webhooks/consumer.ts';
import { subscribe } from '../webhooks/stage.ts';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
}
interface Sent {
  resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
}

/** Receives traces over OTLP as JSON. */
async function collector() {
  const spans: Span[] = [];
  const server = createServer(async (request, response) => {
    const { resourceSpans } = JSON.parse(await text(request)) as Sent;
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    response.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return { spans, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('one trace connects a call with GraphQL, SQL, the job and the delivery', async () => {
  const stagehand = await testApp();
  const { key } = await makeStage(stagehand.app);
  const { url, received } = await consumer();
  await subscribe(stagehand, key, url, ['dpu.sealed']);
  const { spans, url: endpoint } = await collector();
  const { url: DATABASE_URL, checkpointFile: CHECKPOINT_FILE } = stagehand.database;
  const server = await startServer({
    env: {
      DATABASE_URL,
      CHECKPOINT_FILE,
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '200',
    },
  });
  onTestFinished(async () => void (await server.end('SIGKILL')));
  const { call } = makeClient(server.url);
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
  const recorded = await call('POST', '/v1/decision-events', { token: key, body: decision });
  const path = `/v1/decision-events/${recorded.body.data.id}/approvals`;
  const body = { approver: { id: 'boss', type: 'human' }, result: 'approved' };
  expect((await call('POST', path, { token: key, body, headers })).status).toBe(200);
  await eventually(() => received.length === 1);
  const ours = () => spans.filter((span) => span.traceId === traceId);
  await eventually(() => ours().some(({ name }) => name === 'deliver'));
  expect(await server.end()).toBe(0);

  const byId = new Map(ours().map((span) => [span.spanId, span]));
  const waysTo = (name: string) =>
    ours()
      .filter((span) => span.name.startsWith(name))
      .map((span) => {
        const way = [];
        for (let at: Span | undefined = span; at; at = byId.get(at.parentSpanId ?? ''))
          way.unshift(at.name.split(' ')[0]);
        return way.join(' > ');
      });
  expect(waysTo('graphql')).toEqual(['POST > graphql']);
  expect(waysTo('sql')).toEqual(expect.arrayContaining(['POST > graphql > sql']));
  expect(waysTo('deliver')).toEqual([expect.stringMatching(/^POST > graphql > (.* > )?job > deliver$/)]);
  expect(spans.filter(({ name, parentSpanId }) => name.startsWith('sql') && !parentSpanId)).toEqual([]);
  // Traces contain no tenant data.
  expect(JSON.stringify(spans)).not.toContain(decision.action.description);
});
