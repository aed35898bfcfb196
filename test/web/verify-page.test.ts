import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseVerifierKey } from '@countersign/proof-kit';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publicPaths } from '../../src/domain/centers/update.ts';
import { startTestApp, type TestApp, testApp } from '../helpers/app.ts';
import { runAs } from '../helpers/server.ts';
import { type ProofStage, proofStage } from '../proof/stage.ts';
import { accessibilityFaults } from './accessibility.ts';
import { findChromium, NO_BROWSER, openBrowser } from './browser.ts';

const chromium = findChromium();
if (!chromium) process.stderr.write(`skipped: ${NO_BROWSER}\n`);

const vector = (name: string) => fileURLToPath(new URL(`../../vectors/${name}.json`, import.meta.url));
/** Set to a folder to save screenshots. */
const screenshots = process.env['SCREENSHOTS'];

let running: TestApp;
let browser: Browser;
let open: ProofStage;
let closed: ProofStage;

beforeAll(async () => {
  running = await startTestApp();
  open = await proofStage(running, { name: 'Open Center', settings: { proof: { disclose: publicPaths } } });
  closed = await proofStage(running, { name: 'Private <Center>' });
  if (chromium) browser = await openBrowser(chromium);
});
afterAll(async () => {
  await browser?.close();
  await running.close();
});

async function sealed(stage: ProofStage, change: object = {}) {
  const event = await stage.record(change);
  await stage.approve(event.id);
  return event;
}

describe('without a browser', () => {
  test('the page shows the decision and its content security policy allows no other sources', async () => {
    const event = await sealed(closed);
    const response = await running.fetch(`/verify/${event.id}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toContain(
      "default-src 'none'; script-src 'self'",
    );
    const page = await response.text();
    // Types, times, kinds of approvers and guards; neither names nor texts, and nothing that the proof does not contain.
    expect(page).toContain('An AI agent');
    expect(page).toContain('whose name is not shown approved, asserted by an API key');
    expect(page).toContain('Withheld in this copy');
    expect(page).toContain('A policy covers this action');
    expect(page).toContain('Published by <strong>Private &lt;Center&gt;</strong>');
    expect(page).toContain('As record 1 of the proof chain');
    expect(page).not.toMatch(/Refund agent|The boss|Looks right/);
    expect(page).not.toMatch(/https?:\/\/(?!localhost|127\.0\.0\.1|www\.w3\.org)[a-z]/);
  });

  test('the input and output of a decision are shown only if the center discloses them', async () => {
    const secret = {
      action: { type: 'x', input: { note: 'private-words' }, output: { a: 'private-result' } },
    };
    const hidden = await sealed(closed, secret);
    const shown = await sealed(open, secret);
    for (const path of ['', '/proof.json']) {
      expect(await (await running.fetch(`/verify/${hidden.id}${path}`)).text()).not.toMatch(
        /private-(words|result)|Within 14/,
      );
      expect(await (await running.fetch(`/verify/${shown.id}${path}`)).text()).toContain('private-words');
    }
    const file = await (await running.fetch(`/verify/${hidden.id}/proof.json`)).json();
    expect(file.record.content).toContain('"kind":"decision"');
    expect(file.disclosures).toEqual([]);
  });

  test('unknown and unsealed ids return 404 with an explanatory page', async () => {
    const event = await closed.record();
    const approved = await closed.record();
    await closed.approve(approved.id, { result: 'rejected' });
    for (const id of ['evt_unknown', event.id, approved.id, '%3Cscript%3E', '%00', '%ff']) {
      const response = await running.fetch(`/verify/${id}`);
      expect([id, response.status]).toEqual([id, 404]);
      expect(await response.text()).toContain('There is no sealed proof at this address');
    }
    expect((await running.fetch(`/verify/${event.id}/proof.json`)).status).toBe(404);
    for (const path of ['/verify', '/verify/']) expect((await running.fetch(path)).status).toBe(200);
    for (const path of ['/verifyfoo', '/verifyfoo/a/b', '/verify/a/b', '/verify/a/proof.json/b']) {
      expect([path, (await running.fetch(path)).status]).toEqual([path, 404]);
    }
  });

  test('the evidence id and the record id open the same page', async () => {
    const event = await sealed(closed);
    const { dpuId } = await running.app.db.acrossTenants.decisionEvent.findUniqueOrThrow({
      where: { id: event.id },
    });
    for (const id of [event.evidence.id, dpuId])
      expect((await running.fetch(`/verify/${id}`)).status).toBe(200);
  });

  test('the center is notified of a visit, but not of every one in a burst', async () => {
    const stage = await proofStage(running);
    const event = await sealed(stage);
    for (let i = 0; i < 5; i++) await running.fetch(`/verify/${event.id}`);
    await running.fetch(`/verify/${event.id}`, { method: 'HEAD' });
    const told = await stage.events('dpu.verified');
    expect(told.map(({ data }) => data)).toMatchObject([
      { domain: 'proof', valid: true, chainLength: 1, brokenAt: null },
    ]);
  });

  test('a tampered record is shown as broken', async () => {
    const stage = await proofStage(running, { settings: { proof: { disclose: publicPaths } } });
    const event = await sealed(stage);
    await runAs(
      running.database.adminUrl,
      `SET session_replication_role = replica; UPDATE ledger_record SET content = replace(content, '"kind"', '"kinds"')
       WHERE chain_id = (SELECT id FROM ledger_chain WHERE center_id = ${stage.center.id} AND domain = 'proof')`,
    );
    const page = await (await running.fetch(`/verify/${event.id}`)).text();
    expect(page).toContain('data-verdict="refuted"');
    expect((await stage.events('dpu.verified')).map(({ data }) => data)).toMatchObject([
      { valid: false, brokenAt: 0 },
    ]);
  });
});

describe('test vectors', () => {
  test('are served unchanged, and no other files are served', async () => {
    const verdicts = await (await running.fetch('/vectors')).json();
    const file = 'genuine/decision-whole.json';
    expect(verdicts[file]).toMatch(/^proven: /);
    expect(await (await running.fetch(`/vectors/${file}`)).text()).toBe(
      await readFile(vector('genuine/decision-whole'), 'utf8'),
    );
    expect((await (await running.fetch('/vectors/keys.json')).json()).quorum).toBe(2);
    for (const folder of ['partial', 'conditional', 'consistent', 'falsified', 'contradicting']) {
      const listed = Object.keys(verdicts).find((name) => name.startsWith(`${folder}/`));
      expect([folder, (await running.fetch(`/vectors/${listed}`)).status]).toEqual([folder, 200]);
    }
    for (const path of [
      '/vectors/none.json',
      '/vectors/genuine/',
      '/vectors/genuine/..%2fkeys.json',
      '/vectors/../package.json',
    ])
      expect([path, (await running.fetch(path)).status]).toEqual([path, 404]);
  });
});

test('lookups count toward the public rate limit, the file check page does not', async () => {
  const limited = await testApp({ env: { RATE_PUBLIC: '3' } });
  const status = async (path: string) => (await limited.fetch(path)).status;
  for (const path of ['/verify/evt_a', '/verify/evt_b/proof.json', '/verify/evt_c'])
    expect(await status(path)).toBe(404);
  const refused = await limited.fetch('/verify/evt_d');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await status('/verify')).toBe(200);
});

describe.runIf(chromium)('in a browser', () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
  const profile = async (options: BrowserContextOptions) => {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(30_000);
    return context;
  };
  let onDesk: BrowserContext;
  let onPhone: BrowserContext;
  beforeAll(async () => {
    onDesk = await profile({});
    onPhone = await profile({ ...phone, colorScheme: 'dark' });
  });

  /** A page that fails the test on any script error, blocked resource or request to another host. */
  async function visit(path: string, context = onDesk) {
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== running.url) faults.push(`asked ${request.url()}`);
    });
    await page.goto(running.url + path);
    return { page, faults, done: () => page.close() };
  }

  const state = (page: Page, id = 'verdict') => page.locator(`#${id}`).getAttribute('data-state');
  const verdict = (page: Page, id = 'verdict') => page.locator(`#${id}`).getAttribute('data-verdict');
  const settled = (page: Page, id = 'verdict') => page.locator(`#${id}:not([data-state=checking])`).waitFor();
  const outcomes = (page: Page, id = 'steps') =>
    page
      .locator(`#${id} > li`)
      .evaluateAll((items) => items.map((item) => item.getAttribute('data-verdict')));

  /** Enters the key that signed the vectors. */
  async function trustTheVectors(page: Page) {
    const { keys } = JSON.parse(await readFile(vector('keys'), 'utf8')) as { keys: string[] };
    const field = page.getByLabel('Key you trust');
    await field.fill(keys[0]!);
    await field.press('Tab');
  }

  async function choose(page: Page, name: string) {
    await page.locator('#file').setInputFiles(vector(name));
    await page.locator(`#file-name:text-is("${name.split('/')[1]}.json")`).waitFor();
    await page.locator('#file-verdict:not([data-state=checking])').waitFor();
  }

  /** The text of a section of the card. */
  const said = async (page: Page, section: string) =>
    (await page.locator(`#file-facts [data-section=${section}]`).allInnerTexts())
      .join(' ')
      .replaceAll(/\s+/g, ' ');

  async function look(page: Page, name: string) {
    if (!screenshots) return;
    mkdirSync(screenshots, { recursive: true });
    await page.screenshot({ path: `${screenshots}/${name}.png`, fullPage: true });
  }

  test('a fully disclosed record passes every check', async () => {
    const event = await sealed(open);
    const { page, faults, done } = await visit(`/verify/${event.id}`);
    await settled(page);
    expect(await outcomes(page)).not.toContain('fail');
    expect(await verdict(page)).toBe('proven');
    expect(await state(page)).toBe('good');
    expect(await page.locator('#verdict').textContent()).toMatch(
      /^Proven\s*Recorded on .* \(UTC\), approved by “The boss” \(as reported by a system\), sealed on .* unchanged since\./,
    );
    expect(await page.locator('#verdict').textContent()).toContain('is the word of the service');
    const witnesses = page.locator('#steps > li').filter({ hasText: 'You named no witness' });
    expect(await witnesses.getAttribute('data-verdict')).toBe('absent');
    await look(page, 'open-desktop');
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
    await done();
  });

  test('the seal of a private record holds, and the page lists what is not shown and cannot be said', async () => {
    const event = await sealed(closed);
    const { page, faults, done } = await visit(`/verify/${event.id}`, onPhone);
    await settled(page);
    expect(await outcomes(page)).not.toContain('fail');
    expect(await verdict(page)).toBe('partial');
    expect(await state(page)).toBe('neutral');
    const words = await page.locator('#verdict').textContent();
    expect(words).toContain('The seal holds');
    expect(words).toMatch(/This copy does not show:.*Decision: .*description, .*Approvers: ids, names/);
    expect(words).toMatch(/Therefore it cannot be said:.*that no one approved their own request/);
    expect(words).not.toMatch(/Proven|Genuine|decisionId|approvals\.|Other/);
    const rules = page.locator('#steps > li').filter({ hasText: 'The times are in order' });
    expect(await rules.getAttribute('data-verdict')).toBe('absent');
    await look(page, 'private-phone-dark');
    expect(await accessibilityFaults(page)).toEqual([]);
    const overflow = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
    expect(overflow).toBe(false);
    expect(faults).toEqual([]);
    await done();
  });

  test('the downloaded proof and the full export verify on the same page', async () => {
    const event = await sealed(open);
    const { page, faults, done } = await visit(`/verify/${event.id}`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the proof' }).click(),
    ]);
    await page.locator('#file').setInputFiles(await download.path());
    await settled(page, 'file-verdict');
    expect(await verdict(page, 'file-verdict')).toBe('proven');
    expect(await state(page, 'file-verdict')).toBe('good');
    expect(await page.locator('#file-facts').textContent()).toContain('Refund an order');
    expect(faults).toEqual([]);
    await done();
  });

  test('a chosen file shows its arguments, policies, approvals and outcome, and what it withholds', async () => {
    const { page, faults, done } = await visit('/verify', onPhone);
    await trustTheVectors(page);
    await choose(page, 'genuine/decision-executed');
    expect(await verdict(page, 'file-verdict')).toBe('proven');
    expect(await said(page, 'request')).toMatch(/Asked by Refund assistant \(AI agent\)/);
    expect(await said(page, 'arguments')).toBe('Exact arguments amount 4250 currency "EUR"');
    expect(await said(page, 'policies')).toContain('(policy Baseline, version 3)');
    expect(await said(page, 'approvals')).toMatch(/Ada Keller approved, signed in .* Within policy\./);
    expect(await said(page, 'outcome')).toMatch(/Carried out as approved .* transfer "tr_1"/);
    const overflow = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
    expect(overflow).toBe(false);
    await look(page, 'file-phone-dark');
    expect(await accessibilityFaults(page)).toEqual([]);

    await choose(page, 'genuine/quorum-met');
    expect(await said(page, 'seats')).toContain(
      'One member of Group grp_finance, with a passkey: filled by ada',
    );
    await choose(page, 'partial/decision-input-erased');
    expect(await said(page, 'arguments')).toMatch(
      /^Exact arguments Erased on .*The fingerprint in the proof stays\.$/,
    );
    await choose(page, 'partial/decision-nothing-disclosed');
    expect(await said(page, 'arguments')).toBe('Exact arguments Withheld in this copy.');
    await choose(page, 'genuine/named-like-a-verdict');
    await look(page, 'named-like-a-verdict-phone-dark');
    expect(faults).toEqual([]);
    await done();
  });

  test('markup, invisible characters and other writing directions in a proof are shown as text', async () => {
    const odd = '<img src=x onerror=alert(1)> a\u202Eb\u200B שלום';
    const event = await sealed(open, {
      actor: { id: 'bot', type: 'ai_agent', name: odd },
      action: { type: 'x', description: odd, input: { [odd]: odd, long: 'x'.repeat(3000) } },
    });
    const { page, faults, done } = await visit(`/verify/${event.id}`, onPhone);
    await settled(page);
    const [shown = ''] = await page.locator('.decision-card').allInnerTexts();
    expect(shown.split('<img src=x onerror=alert(1)> a\\u202eb\\u200b שלום').length).toBeGreaterThan(3);
    expect(shown).not.toMatch(/[\u202E\u200B]/);
    expect(await page.locator('.decision-card img').count()).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    await look(page, 'odd-phone-dark');
    const file = await (await running.fetch(`/verify/${event.id}/proof.json`)).text();
    await page
      .locator('#file')
      .setInputFiles({ name: 'odd.json', mimeType: 'application/json', buffer: Buffer.from(file) });
    await page.locator('#file-facts .decision-card').waitFor();
    const [ofServer, ofBrowser] = await page
      .locator('.decision-card')
      .evaluateAll((cards) => cards.map((card) => card.outerHTML));
    expect(ofBrowser).toBe(ofServer);
    expect(faults).toEqual([]);
    await done();
  });

  test('a falsified export fails, whichever part was changed', async () => {
    const { page, faults, done } = await visit('/verify');
    for (const name of [
      'decision-other-record-content',
      'decision-other-evidence-event-action-input-amount',
      'lie-agent-approves-itself',
      'signature-changed',
    ]) {
      await page.locator('#file').setInputFiles(vector(`falsified/${name}`));
      await page.locator(`#file-name:text-is("${name}.json")`).waitFor();
      await page.locator('#file-verdict[data-state=bad]').waitFor();
      expect(await outcomes(page, 'file-steps')).toContain('fail');
      expect(await verdict(page, 'file-verdict')).toBe('refuted');
      expect(await page.locator('#file-facts').textContent()).toBe('');
    }
    await look(page, 'falsified-desktop');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.locator('#file').setInputFiles({
      name: 'holiday.json',
      mimeType: 'application/json',
      buffer: Buffer.from('no json at all'),
    });
    await page.locator('#file-verdict[data-verdict=unreadable]').waitFor();
    expect(await page.locator('#file-verdict').textContent()).toContain('It is not JSON.');
    expect(faults).toEqual([]);
    await done();
  });

  test('a proof names the provider that signed an approver in, and says if it is withheld', async () => {
    for (const [device, context] of [
      ['desktop', onDesk],
      ['phone-dark', onPhone],
    ] as const) {
      const { page, faults, done } = await visit('/verify', context);
      await trustTheVectors(page);
      await choose(page, 'genuine/signed-in-through-a-provider-with-a-passkey');
      expect(await said(page, 'approvals')).toContain(
        'signed with a passkey, signed in through https://login.example',
      );
      await look(page, `provider-${device}`);
      await choose(page, 'partial/identity-withheld');
      expect(await said(page, 'approvals')).toContain(
        "signed in through the company's identity provider, which is not named",
      );
      expect(await page.locator('#file-verdict').textContent()).toContain('Approvers: company accounts');
      expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
      await look(page, `provider-withheld-${device}`);
      expect(faults).toEqual([]);
      await done();
    }
  });

  test('a document that is refuted once its members are disclosed is never shown as proven', async () => {
    const { page, done } = await visit('/verify');
    await trustTheVectors(page);
    for (const [name, unsaid] of [
      ['decision-person-withheld', 'that the approvers are different people'],
      ['one-identity-twice-and-withheld', 'that the approvers signed in with different company accounts'],
      ['decision-signature-withheld', 'that the signature of a passkey is good'],
      ['decision-nothing-disclosed', 'that no one approved their own request'],
    ] as const) {
      await page.locator('#file').setInputFiles(vector(`partial/${name}`));
      await page.locator(`#file-name:text-is("${name}.json")`).waitFor();
      await page.locator('#file-verdict[data-verdict=partial]').waitFor();
      expect([name, await state(page, 'file-verdict')]).toEqual([name, 'neutral']);
      const words = await page.locator('#file-verdict').textContent();
      expect(words).toContain(unsaid);
      expect(words).not.toMatch(/Proven|Genuine/);
    }
    for (const name of ['decision-without-head', 'sealed-before-format-4']) {
      await page.locator('#file').setInputFiles(vector(`partial/${name}`));
      await page.locator(`#file-name:text-is("${name}.json")`).waitFor();
      if (name === 'sealed-before-format-4') {
        await page.locator('#file-verdict[data-state=careful]').waitFor();
        expect(await page.locator('#file-verdict').textContent()).toContain('Incomplete');
      }
    }
    await look(page, 'partial-desktop');
    await done();
  });

  test('two seals of one decision are not both proven on one page', async () => {
    const { page, done } = await visit('/verify');
    await trustTheVectors(page);
    await page.locator('#file').setInputFiles(vector('contradicting/decision-as-told-to-one'));
    await page.locator('#file-verdict[data-verdict=proven]').waitFor();
    await page.locator('#file').setInputFiles(vector('contradicting/decision-as-told-to-another'));
    await page.locator('#file-verdict[data-verdict=refuted]').waitFor();
    expect(await page.locator('#file-verdict').textContent()).toContain(
      'It contradicts decision-as-told-to-one.json: another record at place 0',
    );
    const comparison = page.locator('#file-steps > li[data-verdict=fail]');
    expect((await comparison.allInnerTexts()).join(' ')).toMatch(
      /^It agrees with the other proofs that were checked Failed\s+It contradicts decision-as-told-to-one/,
    );
    expect(await page.locator('#file-facts').textContent()).toBe('');
    await done();
  });

  test('a rejection says that it is one, and from whom', async () => {
    const { page, done } = await visit('/verify');
    await trustTheVectors(page);
    await page.locator('#file').setInputFiles(vector('genuine/rejection-by-passkey'));
    await page.locator('#file-verdict[data-verdict=proven]').waitFor();
    const words = await page.locator('#file-verdict').textContent();
    expect(words).toMatch(
      /^Proven: rejected\s*Rejected by “Ada Keller” \(with a passkey\) on .* It was never approved\./,
    );
    expect(await said(page, 'approvals')).toContain('Ada Keller rejected, signed with a passkey');
    await look(page, 'rejection-desktop');
    await done();
  });

  test('a proof of a retired key is not proven with the published keys', async () => {
    const { retired } = JSON.parse(await readFile(vector('keys'), 'utf8')) as {
      retired: { key: string; until: string };
    };
    const { name, publicKey: bytes } = parseVerifierKey(retired.key);
    const publicKey = Buffer.from(bytes).toString('base64');
    const { page, done } = await visit('/verify');
    const published = JSON.stringify([{ name, publicKey, until: retired.until }]);
    await page.route('**/verify', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(/(<script[^>]*id="keys"[^>]*>)[^<]*/, `$1${published}`);
      await route.fulfill({ response, body });
    });
    await page.reload();
    await page.locator('#file').setInputFiles(vector('consistent/signed-by-a-retired-key'));
    await page.locator('#file-verdict[data-state=careful]').waitFor();
    expect(await page.locator('#file-verdict').textContent()).toContain('Signed by a retired key');
    await done();
  });

  test('an export of another service is verified with the key of that service', async () => {
    const { page, done } = await visit('/verify');
    await page.locator('#file').setInputFiles(vector('genuine/decision-whole'));
    await settled(page, 'file-verdict');
    expect(await state(page, 'file-verdict')).toBe('careful');
    expect(await verdict(page, 'file-verdict')).toBe('consistent');
    // Once the visitor enters that service's key, the file is genuine.
    const field = page.getByLabel('Key you trust');
    await field.fill('no key');
    await field.press('Tab');
    await page.getByText('Enter a verifier key').waitFor();
    await trustTheVectors(page);
    await page.locator('#file-verdict[data-verdict=proven]').waitFor();
    await look(page, 'trusted-key-desktop');
    expect(await accessibilityFaults(page)).toEqual([]);
    await done();
  });

  test('all controls work with the keyboard, and a file can be dropped', async () => {
    const event = await sealed(open);
    const { page, done } = await visit(`/verify/${event.id}`);
    await settled(page);
    const reached: string[] = [];
    for (let i = 0; i < 8; i++) {
      await page.keyboard.press('Tab');
      reached.push(
        await page.evaluate(
          "(({ id, tagName, textContent }) => id || tagName + ' ' + textContent.trim().slice(0, 20))(document.activeElement)",
        ),
      );
    }
    expect(reached).toEqual(
      expect.arrayContaining([
        'A Skip to the content',
        'A Download the proof',
        'file',
        'SUMMARY Technical details',
      ]),
    );
    const text = await readFile(vector('falsified/decision-other-record-content'), 'utf8');
    const transfer = await page.evaluateHandle((content) => {
      const dropped = new DataTransfer();
      dropped.items.add(new File([content], 'dropped.json'));
      return dropped;
    }, text);
    await page.dispatchEvent('#drop', 'drop', { dataTransfer: transfer });
    await page.locator('#file-verdict[data-state=bad]').waitFor();
    await done();
  });

  test('the page for unknown ids is accessible', async () => {
    const { page, done } = await visit('/verify/evt_unknown', onPhone);
    await page.emulateMedia({ colorScheme: 'light' });
    await look(page, 'unknown-phone');
    expect(await accessibilityFaults(page)).toEqual([]);
    await done();
  });
});
