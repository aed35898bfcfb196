/** The rules for what comes in, for the REST rows too. */
export { createWebhookInput, eventPattern, webhookChanges } from '../../domain/webhooks/input.ts';
export { recoveryScopes } from '../../domain/webhooks/recover.ts';
