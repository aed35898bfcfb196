import { concatBytes, utf8 } from '@countersign/proof-kit/bytes';

/** A webhook message. */
export interface WebhookMessage<Data = Record<string, unknown>> {
  /** The same for every attempt: use it to drop duplicates. */
  id: string;
  type: string;
  createdAt: string;
  data: Data;
  deliveryAttempt: number;
}

export interface VerifyWebhookOptions {
  /** The raw body, exactly as received. */
  body: string | Uint8Array;
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The signing secret, or several while an old one is still valid. */
  secret: string | readonly string[];
  /** The allowed difference between the message time and now, in seconds. */
  tolerance?: number;
  now?: Date;
  /**
   * Also accepts a message that has only `X-Service-Signature`. It covers the body but not the time, so a captured message can
   * be replayed: use `remember` with it.
   */
  allowServiceSignature?: boolean;
  /** Stores a message id and returns whether it is new; duplicates are rejected. */
  remember?: (messageId: string) => boolean | Promise<boolean>;
}

/** The message is not genuine, too old, or a duplicate. Respond with 400 and do nothing. */
export class WebhookRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WebhookRefused';
  }
}

const TOLERANCE = 300;

/**
 * Verifies a delivery and returns its message. The Standard Webhooks signature is required, because it also covers the id and
 * the time; `allowServiceSignature` accepts the `X-Service-Signature` over the body instead.
 */
export async function verifyWebhook<Data = Record<string, unknown>>(
  options: VerifyWebhookOptions,
): Promise<WebhookMessage<Data>> {
  const { headers, tolerance = TOLERANCE, now = new Date(), remember } = options;
  const body = typeof options.body === 'string' ? utf8(options.body) : options.body;
  const secrets = [options.secret].flat() as string[];
  const standard = header(headers, 'webhook-signature');
  if (!standard && !options.allowServiceSignature) {
    throw new WebhookRefused('The message has no webhook-signature header.');
  }
  const sentAt = standard
    ? Number(header(headers, 'webhook-timestamp')) * 1_000
    : Date.parse(header(headers, 'x-service-timestamp') ?? '');
  if (Number.isNaN(sentAt)) throw new WebhookRefused('The message does not say when it was sent.');
  if (Math.abs(now.getTime() - sentAt) > tolerance * 1_000) {
    throw new WebhookRefused('The message was sent too long ago, or its clock is wrong.');
  }
  const genuine = standard
    ? await isStandard(headers, body, secrets, standard)
    : await isService(headers, body, secrets);
  if (!genuine) throw new WebhookRefused('The signature does not fit the message.');
  const message = JSON.parse(new TextDecoder().decode(body)) as WebhookMessage<Data>;
  if (remember && !(await remember(message.id))) throw new WebhookRefused('The message came before.');
  return message;
}

async function isStandard(
  headers: VerifyWebhookOptions['headers'],
  body: Uint8Array,
  secrets: string[],
  signatures: string,
): Promise<boolean> {
  const prefix = `${header(headers, 'webhook-id')}.${header(headers, 'webhook-timestamp')}.`;
  const signed = concatBytes(utf8(prefix), body);
  const given = signatures.split(' ').flatMap((entry) => (entry.startsWith('v1,') ? [entry.slice(3)] : []));
  for (const secret of secrets) {
    const key = fromBase64(secret.replace(/^whsec_/, ''));
    for (const signature of given) {
      if (key && (await isHmac(key, signed, fromBase64(signature)))) return true;
    }
  }
  return false;
}

async function isService(
  headers: VerifyWebhookOptions['headers'],
  body: Uint8Array,
  secrets: string[],
): Promise<boolean> {
  const given = [header(headers, 'x-service-signature'), header(headers, 'x-service-signature-previous')];
  for (const secret of secrets) {
    for (const signature of given) {
      if (signature && (await isHmac(utf8(secret), body, fromHex(signature)))) return true;
    }
  }
  return false;
}

/** WebCrypto compares in constant time. */
async function isHmac(key: Uint8Array, signed: Uint8Array, signature: Uint8Array | null): Promise<boolean> {
  if (!signature) return false;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const { subtle } = globalThis.crypto;
  const imported = await subtle.importKey('raw', key as BufferSource, algorithm, false, ['verify']);
  return subtle.verify('HMAC', imported, signature as BufferSource, signed as BufferSource);
}

function header(headers: VerifyWebhookOptions['headers'], name: string): string | null {
  if (headers instanceof Headers) return headers.get(name);
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return (Array.isArray(found) ? found[0] : found) ?? null;
}

function fromBase64(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

function fromHex(text: string): Uint8Array | null {
  if (!/^([0-9a-f]{2})+$/i.test(text)) return null;
  return Uint8Array.from(text.match(/../g)!, (pair) => Number.parseInt(pair, 16));
}
