import { type Command, EXIT, required, text } from '../command.ts';
import { personSession } from '../session.ts';

export const trigger: Command = {
  summary: 'send a sample of an event to webhooks',
  help: `countersign trigger EVENT [--webhook ID]   to one webhook, or to all that subscribe to the event

EVENT is a type such as dpu.sealed or payment.completed.`,
  options: { webhook: { type: 'string' } },
  async run({ positionals: [event], values, print }) {
    const type = required(event, 'The type of event');
    const { query } = await personSession();
    const rows: Record<string, unknown>[] = [];
    for (const webhookId of await targets(query, type, text(values, 'webhook'))) {
      const data = await query<{ sendSampleEvent: { eventId: string } }>(
        'mutation ($input: SendSampleEventInput!) { sendSampleEvent(input: $input) { eventId } }',
        { input: { type, webhookId } },
      );
      rows.push({ webhookId, ...data.sendSampleEvent });
    }
    print.rows(rows, ['webhookId', 'eventId']);
    return rows.length > 0 ? EXIT.done : EXIT.refused;
  },
};

type Query = Awaited<ReturnType<typeof personSession>>['query'];

async function targets(query: Query, type: string, one: string | undefined): Promise<string[]> {
  if (one) return [one];
  const data = await query<{
    webhooks: { edges: { node: { id: string; events: string[]; active: boolean } }[] };
  }>('query { webhooks(first: 100) { edges { node { id events active } } } }');
  const subscribes = (pattern: string) =>
    pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)));
  return data.webhooks.edges
    .filter(({ node }) => node.active && node.events.some(subscribes))
    .map(({ node }) => node.id);
}
