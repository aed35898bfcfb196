import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type VerifyWebhookOptions, verifyWebhook } from '../../packages/client/src/webhooks.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const now = new Date('2026-11-15T09:30:00.000Z');
const body = JSON.stringify({
  id: 'msg_1',
  type: 'dpu.sealed',
  createdAt: now,
  data: {},
  deliveryAttempt: 1,
});

function standard(key = secret, at = now, signed = body): Record<string, string> {
  const seconds = String(Math.floor(at.getTime() / 1_000));
  const mac = createHmac('sha256', Buffer.from(key.slice(6), 'base64'));
  const signature = mac.update(`msg_1.${seconds}.${signed}`).digest('base64');
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,AAAA v1,${signature}`,
  };
}

function service(key = secret, at = now): Record<string, string> {
  return {
    'X-Service-Signature': createHmac('sha256', key).update(body).digest('hex'),
    'X-Service-Timestamp': at.toISOString(),
  };
}

/** Both kinds of signature. */
const verify = (options: VerifyWebhookOptions) => verifyWebhook({ ...options, allowServiceSignature: true });

describe.each([
  ['Standard Webhooks', standard],
  ['the service', service],
])('signatures of %s', (_, sign) => {
  test('a genuine message is accepted', async () => {
    expect(await verify({ body, headers: sign(), secret, now })).toMatchObject({ id: 'msg_1' });
    const headers = new Headers(sign(other));
    expect(await verify({ body, headers, secret: [secret, other], now })).toMatchObject({
      id: 'msg_1',
    });
  });

  test('a changed body, another secret and a missing signature are rejected', async () => {
    const refused = /signature/;
    const changed = body.replace('dpu.sealed', 'dpu.forged');
    await expect(verify({ body: changed, headers: sign(), secret, now })).rejects.toThrow(refused);
    await expect(verify({ body, headers: sign(other), secret, now })).rejects.toThrow(refused);
    await expect(verify({ body, headers: {}, secret, now })).rejects.toThrow('when it was sent');
  });

  test('an old or repeated message is rejected', async () => {
    const old = new Date(now.getTime() - 301_000);
    await expect(verify({ body, headers: sign(secret, old), secret, now })).rejects.toThrow('long ago');
    const seen = new Set<string>();
    const remember = (id: string) => !seen.has(id) && Boolean(seen.add(id));
    await verify({ body, headers: sign(), secret, now, remember });
    await expect(verify({ body, headers: sign(), secret, now, remember })).rejects.toThrow('came before');
  });
});

test('a replay is detected even if the headers with the signed time are removed', async () => {
  const old = new Date(now.getTime() - 86_400_000);
  const seen = { ...standard(secret, old), ...service(secret, old) };
  // The body of an old message with its own signature, and an unsigned time.
  const replay = {
    'X-Service-Signature': seen['X-Service-Signature']!,
    'X-Service-Timestamp': now.toISOString(),
  };
  await expect(verifyWebhook({ body, headers: replay, secret, now })).rejects.toThrow('webhook-signature');
  await expect(verifyWebhook({ body, headers: service(), secret, now })).rejects.toThrow('webhook-signature');
});

test('the timestamp of a Standard Webhooks message is covered by the signature', async () => {
  const headers = { ...standard(secret, new Date(now.getTime() - 400_000)) };
  headers['webhook-timestamp'] = String(now.getTime() / 1_000);
  await expect(verifyWebhook({ body, headers, secret, now })).rejects.toThrow(/signature/);
});
