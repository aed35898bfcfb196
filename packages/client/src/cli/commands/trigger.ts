import { type Command, EXIT, flags, required, text, texts, UsageError } from '../command.ts';
import { coversType } from '../events.ts';
import { type PersonSession, personSession } from '../session.ts';

export const trigger: Command = {
  summary: 'send a sample of an event to `listen` or to webhooks',
  help: `countersign trigger EVENT                  only to those who run \`countersign listen\`
countersign trigger EVENT --webhook ID     to one webhook
countersign trigger EVENT --all            to every active webhook that subscribes to the event, in production too

EVENT is a type such as dpu.sealed or payment.completed. The data of a sample has "sample": true.`,
  options: { ...texts('webhook'), ...flags('all') },
  async run({ positionals: [event], values, print }) {
    const type = required(event, 'The type of event');
    const webhook = text(values, 'webhook');
    if (webhook && values['all']) throw new UsageError('--webhook and --all cannot be combined.');
    const { query } = await personSession();
    const targets = webhook ? [webhook] : values['all'] ? await subscribers(query, type) : [null];
    const rows: Record<string, unknown>[] = [];
    for (const webhookId of targets) {
      const data = await query<{ sendSampleEvent: { eventId: string } }>(
        'mutation ($input: SendSampleEventInput!) { sendSampleEvent(input: $input) { eventId } }',
        { input: { type, ...(webhookId && { webhookId }) } },
      );
      rows.push({ to: webhookId ?? 'listen', ...data.sendSampleEvent });
    }
    if (rows.length === 0) print.line(`No active webhook subscribes to ${type}.`);
    else print.rows(rows, ['to', 'eventId']);
    return rows.length > 0 ? EXIT.done : EXIT.refused;
  },
};

async function subscribers(query: PersonSession['query'], type: string): Promise<string[]> {
  const data = await query<{
    webhooks: { edges: { node: { id: string; events: string[]; active: boolean } }[] };
  }>('query { webhooks(first: 100) { edges { node { id events active } } } }');
  return data.webhooks.edges
    .filter(({ node }) => node.active && node.events.some((pattern) => coversType(pattern, type)))
    .map(({ node }) => node.id);
}
