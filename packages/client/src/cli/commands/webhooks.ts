import type { CreateWebhook } from '../../types.ts';
import { type Command, EXIT, lists, required, text, texts, UsageError } from '../command.ts';
import { keyClient } from '../session.ts';

export const webhooks: Command = {
  summary: 'register, list and repair webhooks',
  help: `countersign webhooks list
countersign webhooks create URL --event TYPE [--event TYPE …] [--description TEXT]   shows the signing secret this once
countersign webhooks delete ID
countersign webhooks rotate-secret ID
countersign webhooks deliveries ID [--limit N]
countersign webhooks retry EVENT_ID`,
  options: { ...texts('description', 'limit'), ...lists('event') },
  async run({ positionals: [verb, target], values, print }) {
    const { webhooks: api } = await keyClient();
    const named = (what: string) => required(target, what);
    switch (verb) {
      case 'list':
        print.rows(await api.list(), [
          'id',
          'url',
          'events',
          'active',
          'lastDeliveryStatus',
          'lastDeliveryAt',
        ]);
        return EXIT.done;
      case 'create': {
        const description = text(values, 'description');
        const events = (values['event'] ?? []) as CreateWebhook['events'];
        if (events.length === 0) throw new UsageError('--event is missing; `--event "*"` subscribes to all.');
        const url = named('The URL');
        const made = await api.create({ url, events, ...(description && { description }) });
        print.rows([made], ['id', 'url', 'events', 'signingSecret']);
        return EXIT.done;
      }
      case 'delete':
        await api.delete(named('The id of the webhook'));
        print.line('Deleted.');
        return EXIT.done;
      case 'rotate-secret':
        print.rows([await api.rotateSecret(named('The id of the webhook'))], ['id', 'signingSecret']);
        return EXIT.done;
      case 'deliveries': {
        const limit = text(values, 'limit');
        const rows = await api.deliveries(named('The id of the webhook'), limit ? Number(limit) : undefined);
        print.rows(rows, ['eventId', 'eventType', 'status', 'responseStatus', 'attempts', 'nextRetryAt']);
        return EXIT.done;
      }
      case 'retry': {
        const { deliveries } = await api.retry(named('The id of the event'));
        print.rows(deliveries, ['eventId', 'eventType', 'status', 'attempts']);
        return EXIT.done;
      }
      default:
        throw new UsageError('Say list, create, delete, rotate-secret, deliveries or retry.');
    }
  },
};
