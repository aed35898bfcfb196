import { z } from 'zod';
import { eventTypes, knownPatterns } from '../events/types.ts';

const MAX_PATTERNS = 50;
const MAX_URL = 2_048;
const MAX_DESCRIPTION = 10_000;

const pattern = z
  .string()
  .refine(
    (name) => knownPatterns.has(name),
    `must be one of ${eventTypes.join(', ')}, a prefix of these with .*, or *`,
  );

const fields = {
  url: z.string().trim().min(1).max(MAX_URL),
  events: z.array(pattern).min(1).max(MAX_PATTERNS),
  description: z.string().max(MAX_DESCRIPTION).optional(),
  active: z.boolean().optional(),
};

export const createWebhookInput = z.object(fields);
export const webhookChanges = z.object({
  ...fields,
  url: fields.url.optional(),
  events: fields.events.optional(),
});

export type CreateWebhookInput = z.infer<typeof createWebhookInput>;
export type WebhookChanges = z.infer<typeof webhookChanges>;
