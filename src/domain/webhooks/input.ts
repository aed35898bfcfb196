import { z } from 'zod';
import { doc } from '../../lib/doc.ts';
import { eventTypes, knownPatterns } from '../events/catalog.ts';

const MAX_PATTERNS = 50;
const MAX_URL = 2_048;
const MAX_DESCRIPTION = 10_000;

/** The event types that a subscription may name. */
export const eventPattern = z
  .enum([...knownPatterns], `must be one of ${eventTypes.join(', ')}, a prefix of these with .*, or *`)
  .meta({ id: 'EventPattern' });

const fields = {
  url: z
    .string()
    .trim()
    .min(1)
    .max(MAX_URL)
    .meta(
      doc(
        'The URL that receives deliveries, at most 2,048 characters; https in production.',
        'https://hooks.shop.example/countersign',
      ),
    ),
  events: z
    .array(eventPattern)
    .min(1)
    .max(MAX_PATTERNS)
    .meta(
      doc('1 to 50 event types: a type, a prefix such as `payment.*`, or `*` for all.', [
        'dpu.sealed',
        'payment.*',
      ]),
    ),
  description: z
    .string()
    .max(MAX_DESCRIPTION)
    .optional()
    .meta(
      doc(
        'What the webhook is for, in the words of the center, at most 10,000 characters.',
        'Tells the warehouse about refunds',
      ),
    ),
  active: z.boolean().optional().meta(doc('Whether deliveries are sent. Default: true.', true)),
};

export const createWebhookInput = z.strictObject(fields);
export const webhookChanges = z.strictObject({
  ...fields,
  url: fields.url.optional(),
  events: fields.events.optional(),
  active: fields.active.describe('Whether deliveries are sent from now on.'),
});

export const updateWebhookInput = z.object({
  id: z.string().describe('The id of the webhook, `whk_…`.'),
  changes: webhookChanges.describe('What to change. Omitted members stay unchanged.'),
});

export type CreateWebhookInput = z.infer<typeof createWebhookInput>;
export type WebhookChanges = z.infer<typeof webhookChanges>;
