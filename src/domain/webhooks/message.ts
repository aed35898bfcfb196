import { createHmac } from 'node:crypto';
import { secretBytes } from './secret.ts';

/** One attempt, ready to be put into words. */
export interface Message {
  eventId: string;
  type: string;
  createdAt: Date;
  /** The payload as JSON, exactly as it was written with the change that caused it. */
  data: string;
  attempt: number;
  /** The secrets that are valid now, the current one first. */
  secrets: readonly string[];
}

const text = JSON.stringify;

export function bodyOf({ eventId, type, createdAt, data, attempt }: Message): string {
  return (
    `{"id":${text(eventId)},"type":${text(type)},"createdAt":${text(createdAt)},` +
    `"data":${data},"deliveryAttempt":${attempt}}`
  );
}

/** Signed at the moment of sending: with the secrets that are valid then, over the very bytes that go out. */
export function headersOf(message: Message, body: string, now: Date): Record<string, string> {
  const { eventId, attempt, secrets } = message;
  const seconds = Math.floor(now.getTime() / 1_000);
  const [current, previous] = secrets.map((secret) => hmac(secret, body, 'hex'));
  const standard = secrets.map(
    (secret) => `v1,${hmac(secretBytes(secret), `${eventId}.${seconds}.${body}`, 'base64')}`,
  );
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Countersign-Webhooks/1.0',
    'X-Service-Signature': current!,
    ...(previous && { 'X-Service-Signature-Previous': previous }),
    'X-Service-Event-Id': eventId,
    'X-Service-Delivery-Attempt': String(attempt),
    'X-Service-Timestamp': now.toISOString(),
    'webhook-id': eventId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': standard.join(' '),
  };
}

function hmac(key: string | Buffer, body: string, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', key).update(body).digest(encoding);
}
