import { afterAll, beforeAll, expect, test } from 'vitest';
import { brandColors } from '../../src/domain/branding/color.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { mailTo } from '../helpers/mail.ts';
import { makeCenter, makePartner } from '../helpers/world.ts';
import { proofStage } from '../proof/stage.ts';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const asUrl = (type: string, text: string) => `data:${type};base64,${Buffer.from(text).toString('base64')}`;
const SCRIPTED = asUrl(
  'image/svg+xml',
  '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script><image href="https://evil.test/x.png"/></svg>',
);

let running: TestApp;
beforeAll(async () => {
  running = await startTestApp({ worker: true });
});
afterAll(() => running.close());

const BRAND = `query ($domain: String!) { whiteLabelConfig(domain: $domain) { brand { name tagline shades logo } } }`;

async function brandOf(domain: string) {
  const { data } = await running.graphql(BRAND, { domain });
  return data.whiteLabelConfig.brand;
}

async function branded(branding: Record<string, string>) {
  const partner = await makePartner(running.app);
  const center = partner.centers[0]!;
  const patch = (body: object) => running.call('PATCH', '/partner/settings', { token: partner.token, body });
  expect((await patch({ branding })).status).toBe(200);
  return { partner, center, patch };
}

test("the partner's brand is shown on pages, proofs and mails of its centers only", async () => {
  const look = {
    name: 'North <Group>',
    tagline: 'Close to the water',
    primaryColor: '#0f5c5c',
    logo: `data:image/png;base64,${PNG}`,
  };
  const { partner, center } = await branded(look);
  const domain = center.centerDomain;
  expect(await brandOf(domain)).toEqual({
    name: 'North <Group>',
    tagline: 'Close to the water',
    shades: expect.arrayContaining(['#0f5c5c']),
    logo: `/brand/${domain}/logo`,
  });
  const logo = await running.fetch(`/brand/${domain}/logo`);
  expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(Buffer.from(await logo.arrayBuffer()).toString('base64')).toBe(PNG);
  expect(await (await running.fetch(`/brand/${domain}/style.css`)).text()).toContain('--accent:#0f5c5c');

  const stage = await proofStage(running, { partnerId: partner.partner.id });
  const event = await stage.record({});
  await stage.approve(event.id);
  const response = await running.fetch(`/verify/${event.id}`);
  const page = await response.text();
  expect(page).toContain('North &lt;Group&gt;');
  expect(page).toContain('Proven with Countersign');
  expect(page).toContain(`src="/brand/${stage.center.centerDomain}/logo"`);
  expect(response.headers.get('content-security-policy')).toContain("img-src 'self';");

  const invite = await running.call('POST', '/partner/centers', {
    token: partner.token,
    body: { name: 'Quay', tenantType: 'CENTER', vertical: 'education', adminEmail: 'quay@example.test' },
  });
  expect(invite.status).toBe(201);
  const mail = await mailTo(running, 'quay@example.test');
  expect(mail.text).toContain('Sent by Countersign at');
  expect(mail.text).toContain('for North <Group>');

  const stranger = await makeCenter(running.app);
  expect(await brandOf(stranger.centerDomain)).toEqual({
    name: null,
    tagline: null,
    shades: null,
    logo: null,
  });
  expect((await running.fetch(`/brand/${stranger.centerDomain}/logo`)).status).toBe(404);
});

test('a logo can neither run scripts nor load resources, and remote logos are not fetched', async () => {
  const { center } = await branded({ logo: SCRIPTED });
  const { headers } = await running.fetch(`/brand/${center.centerDomain}/logo`);
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.* sandbox$/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
  const remote = await branded({ logo: 'https://tracker.test/logo.png' });
  expect((await brandOf(remote.center.centerDomain)).logo).toBeNull();
  const page = await running.fetch('/sign-in', { headers: { accept: 'text/html' } });
  expect(page.headers.get('content-security-policy')).toContain("img-src 'self' data:;");
});

test.each([
  { logo: 'javascript:alert(1)' },
  { logo: asUrl('text/html', '<script>alert(1)</script>') },
  { logo: asUrl('image/png', '<svg onload="alert(1)"/>') },
  { logo: `data:image/png;base64,${Buffer.alloc(40_000).toString('base64')}` },
  { primaryColor: 'red;}body{display:none' },
  { name: 'N'.repeat(61) },
])('unsafe branding is rejected: %j', async (branding) => {
  const { patch } = await branded({});
  const { status, body } = await patch({ branding });
  expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
});

test.each<unknown>([
  { tracker: 'https://evil.test' },
  { constructor: 'x' },
  { primaryColor: { value: '#000000', and: 'x' } },
  { name: ['North'] },
  'red',
  ['red'],
])('unknown members and values that are no text are rejected and not stored: %j', async (branding) => {
  const { partner, center, patch } = await branded({ name: 'North' });
  const { status, body } = await patch({ branding });
  expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  expect(body.error.message).toMatch(/^branding/);
  const change = 'mutation ($patch: JSON!) { changePartnerSettings(patch: $patch) }';
  const { errors } = await running.graphql(change, { patch: { branding } }, partner.token);
  expect(errors?.[0]?.extensions.code).toBe('VALIDATION_ERROR');
  expect(await storedBranding(partner.partner.id)).toEqual({ name: 'North' });
  const config = await running.call('GET', `/whitelabel/${center.centerDomain}/config`);
  expect(config.body.data.branding).toEqual({ name: 'North' });
});

test('unknown members that are already stored are not served, and the next change removes them', async () => {
  const { partner, center, patch } = await branded({});
  const stored = {
    name: 'North',
    tracker: 'https://evil.test',
    icon: 'javascript:alert(1)',
    nested: { a: 1 },
  };
  const { db } = running.app;
  const partners = { where: { id: partner.partner.id }, data: { settings: { branding: stored } } };
  await db.acrossTenants.partner.update(partners);
  const own = { where: { id: center.id }, data: { settings: { branding: { more: 'x', tagline: 'Own' } } } };
  await db.acrossTenants.center.update(own);
  const config = async () =>
    (await running.call('GET', `/whitelabel/${center.centerDomain}/config`)).body.data.branding;
  expect(await config()).toEqual({ name: 'North', tagline: 'Own' });
  // Removing an unknown member is allowed.
  expect((await patch({ branding: { tracker: null, name: 'South' } })).status).toBe(200);
  expect(await storedBranding(partner.partner.id)).toEqual({ name: 'South' });
});

const storedBranding = async (id: string) => {
  const partner = await running.app.db.acrossTenants.partner.findUniqueOrThrow({ where: { id } });
  return (partner.settings as { branding?: unknown }).branding;
};

test('unsafe branding stored without validation is not shown', async () => {
  const { partner, center } = await branded({});
  const branding = {
    name: '\u202eevil\u200b\n',
    primaryColor: '#000}*{background:url(//evil.test)}',
    logo: asUrl('text/html', 'x'),
  };
  await running.app.db.acrossTenants.partner.update({
    where: { id: partner.partner.id },
    data: { settings: { branding } },
  });
  expect(await brandOf(center.centerDomain)).toEqual({
    name: 'evil',
    tagline: null,
    shades: null,
    logo: null,
  });
  expect(await (await running.fetch(`/brand/${center.centerDomain}/style.css`)).text()).toBe('');
});

test('every color gives shades with readable text', () => {
  const part = (hex: string) => {
    const value = Number.parseInt(hex, 16) / 255;
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  const light = (color: string) => {
    const [red, green, blue] = [1, 3, 5].map((at) => part(color.slice(at, at + 2)));
    return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  };
  const contrast = (one: string, other: string) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high! + 0.05) / (low! + 0.05);
  };
  for (const color of [
    '#ffffff',
    '#000000',
    '#ffff00',
    '#00ffff',
    '#ff0000',
    '#7f7f7f',
    '#0f5c5c',
    '#123456',
  ]) {
    const { shades, light: inLight, dark } = brandColors(color)!;
    const worst = Math.min(
      contrast(shades[7]!, '#ffffff'),
      contrast(shades[6]!, '#ffffff'),
      contrast(shades[4]!, '#12171c'),
      contrast(inLight.accent, '#ffffff'),
      contrast(inLight.accent, inLight.ink),
      contrast(dark.accent, '#16201d'),
      contrast(dark.accent, dark.ink),
    );
    expect([color, worst >= 4.5 ? 'readable' : worst]).toEqual([color, 'readable']);
  }
});
