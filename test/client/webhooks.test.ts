import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { verifyWebhook } from '../../packages/client/src/webhooks.ts';

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

describe.each([
  ['Standard Webhooks', standard],
  ['the service', service],
])('signatures of %s', (_, sign) => {
  test('a genuine message is given', async () => {
    expect(await verifyWebhook({ body, headers: sign(), secret, now })).toMatchObject({ id: 'msg_1' });
    const headers = new Headers(sign(other));
    expect(await verifyWebhook({ body, headers, secret: [secret, other], now })).toMatchObject({
      id: 'msg_1',
    });
  });

  test('a changed body, another secret and no signature are refused', async () => {
    const refused = /signature/;
    const changed = body.replace('dpu.sealed', 'dpu.forged');
    await expect(verifyWebhook({ body: changed, headers: sign(), secret, now })).rejects.toThrow(refused);
    await expect(verifyWebhook({ body, headers: sign(other), secret, now })).rejects.toThrow(refused);
    await expect(verifyWebhook({ body, headers: {}, secret, now })).rejects.toThrow('when it was sent');
  });

  test('a message from another time, or one that came before, is refused', async () => {
    const old = new Date(now.getTime() - 301_000);
    await expect(verifyWebhook({ body, headers: sign(secret, old), secret, now })).rejects.toThrow(
      'long ago',
    );
    const seen = new Set<string>();
    const remember = (id: string) => !seen.has(id) && Boolean(seen.add(id));
    await verifyWebhook({ body, headers: sign(), secret, now, remember });
    await expect(verifyWebhook({ body, headers: sign(), secret, now, remember })).rejects.toThrow(
      'came before',
    );
  });
});

test('the time of a Standard Webhooks message is part of what is signed', async () => {
  const headers = { ...standard(secret, new Date(now.getTime() - 400_000)) };
  headers['webhook-timestamp'] = String(now.getTime() / 1_000);
  await expect(verifyWebhook({ body, headers, secret, now })).rejects.toThrow(/signature/);
});
