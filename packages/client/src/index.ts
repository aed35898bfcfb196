export { Countersign } from './countersign.ts';
export { argumentsDigest } from './digest.ts';
export { CountersignError } from './error.ts';
export { CallDenied, type DenialReason, type GateCall, type GateOptions, gate } from './gate.ts';
export type { CallOptions, ClientOptions } from './http.ts';
export type * from './types.ts';
export {
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookMessage,
  WebhookRefused,
} from './webhooks.ts';

import { verifyWebhook } from './webhooks.ts';

/** `webhooks.verify({body, headers, secret})` verifies a delivery and returns its message. */
export const webhooks = { verify: verifyWebhook };
