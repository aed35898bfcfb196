import { createHmac } from 'node:crypto';
import type { WebhookMessage } from '../webhooks.ts';

/** Posts a message like the service does, with both kinds of signature. */
export async function deliver(
  url: string,
  message: WebhookMessage<unknown>,
  secret: string,
): Promise<{ accepted: boolean; answer: string }> {
  const body = JSON.stringify(message);
  const now = new Date();
  const seconds = Math.floor(now.getTime() / 1_000);
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const standard = createHmac('sha256', key).update(`${message.id}.${seconds}.${body}`).digest('base64');
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-service-signature': createHmac('sha256', secret).update(body).digest('hex'),
        'x-service-event-id': message.id,
        'x-service-delivery-attempt': String(message.deliveryAttempt),
        'x-service-timestamp': now.toISOString(),
        'webhook-id': message.id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': `v1,${standard}`,
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(5_000),
    });
    return { accepted: response.ok, answer: String(response.status) };
  } catch (error) {
    return {
      accepted: false,
      answer: (error as Error).name === 'TimeoutError' ? 'no answer in 5 s' : 'unreachable',
    };
  }
}
