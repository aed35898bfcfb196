import { createHmac, type KeyObject } from 'node:crypto';
import type { SigningKeys } from './secret.ts';

/** An attempt, ready to be serialized. */
export interface Message {
  eventId: string;
  type: string;
  /** When the event occurred, in ISO 8601. */
  createdAt: string;
  /** The payload as JSON, exactly as written with the change that caused it. */
  data: string;
  attempt: number;
  /** The keys of the valid secrets, the current one first. */
  keys: readonly SigningKeys[];
}

const text = JSON.stringify;

export function bodyOf({ eventId, type, createdAt, data, attempt }: Message): string {
  return (
    `{"id":${text(eventId)},"type":${text(type)},"createdAt":${text(createdAt)},` +
    `"data":${data},"deliveryAttempt":${attempt}}`
  );
}

/** Signed at the time of sending, with the secrets valid then, over the exact bytes sent. */
export function headersOf(message: Message, body: string, now: Date): Record<string, string> {
  const { eventId, attempt, keys } = message;
  const seconds = Math.floor(now.getTime() / 1_000);
  const [current, previous] = keys.map(({ asShown }) => hmac(asShown, body, 'hex'));
  const standard = keys.map(
    ({ decoded }) => `v1,${hmac(decoded, `${eventId}.${seconds}.${body}`, 'base64')}`,
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

function hmac(key: KeyObject, body: string, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', key).update(body).digest(encoding);
}
