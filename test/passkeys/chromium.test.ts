import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { freePort } from '../helpers/free-port.ts';
import { makeStage } from '../helpers/world.ts';
import { findChromium, NO_BROWSER, openBrowser } from '../web/browser.ts';

const chromium = findChromium();
if (!chromium) process.stderr.write(`skipped: ${NO_BROWSER}\n`);

/** The same host name, so the same relying party, but another origin. */
let house: TestApp;
let neighbor: Server;
let browser: Browser;
let context: BrowserContext;
const origins = { house: '', neighbor: '' };

beforeAll(async () => {
  const port = await freePort();
  origins.house = `http://localhost:${port}`;
  house = await startTestApp({ port, env: { PUBLIC_URL: origins.house } });
  neighbor = createServer((_, response) => response.end('A page next door.')).listen(0, '127.0.0.1');
  await once(neighbor, 'listening');
  origins.neighbor = `http://localhost:${(neighbor.address() as AddressInfo).port}`;
  if (!chromium) return;
  browser = await openBrowser(chromium);
  context = await browser.newContext();
  context.setDefaultTimeout(30_000);
});
afterAll(async () => {
  await browser?.close();
  neighbor.closeAllConnections();
  neighbor.close();
  await house.close();
});

async function ask(document: string, variables: Record<string, unknown> = {}, token?: string) {
  const { data, errors } = await house.graphql(document, variables, token);
  return errors ? errors[0]!.extensions.code : Object.values(data as object)[0];
}
const signIn = (response: unknown) =>
  ask(`mutation ($response: JSON!) { signInWithPasskey(input: { response: $response }) { actor { id } } }`, {
    response,
  });

/** A page of the origin with its own authenticator, which unlocks immediately. */
async function openPage(origin: string) {
  const page = await context.newPage();
  await page.goto(`${origin}/healthz`);
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  return { page, cdp, authenticator: await addAuthenticator(cdp) };
}

async function addAuthenticator(cdp: CDPSession, isUserVerified = true): Promise<string> {
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: true,
    },
  });
  return authenticatorId;
}

const create = (page: Page, options: object) =>
  page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json as never);
    return ((await navigator.credentials.create({ publicKey })) as PublicKeyCredential).toJSON();
  }, options);
const get = (page: Page, options: object) =>
  page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json as never);
    return ((await navigator.credentials.get({ publicKey })) as PublicKeyCredential).toJSON();
  }, options);

async function registeredIn(page: Page) {
  const { admin, token } = await makeStage(house.app);
  const response = await create(page, await ask('mutation { beginPasskeyRegistration }', {}, token));
  const passkey = await ask(
    `mutation ($response: JSON!) {
      finishPasskeyRegistration(input: { name: "Chromium", response: $response }) { id name } }`,
    { response },
    token,
  );
  expect(passkey.name).toBe('Chromium');
  return admin.actor;
}
const beginSignIn = () => ask('mutation { beginPasskeySignIn }');

describe.runIf(chromium)('in Chromium', () => {
  test('a passkey is registered and signs in without a user name', async () => {
    const { page, cdp, authenticator } = await openPage(origins.house);
    const { id } = await registeredIn(page);
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId: authenticator });
    expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }]);
    for (let i = 0; i < 2; i++) {
      expect(await signIn(await get(page, await beginSignIn()))).toEqual({ actor: { id } });
    }
  });

  test('a signature made on a neighboring site is rejected', async () => {
    const { page } = await openPage(origins.house);
    await registeredIn(page);
    await page.goto(origins.neighbor);
    const foreign = await get(page, await beginSignIn());
    expect(await signIn(foreign)).toBe('INVALID_CREDENTIALS');
    // A host with another name does not get even that far.
    await page.goto(`${house.url}/healthz`);
    await expect(get(page, await beginSignIn())).rejects.toThrow(/SecurityError|relying party/i);
  });

  test('without user verification nothing is signed', async () => {
    const { page, cdp, authenticator } = await openPage(origins.house);
    await registeredIn(page);
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId: authenticator, isUserVerified: false });
    const options = { ...(await beginSignIn()), timeout: 1_000 };
    await expect(get(page, options)).rejects.toThrow(/NotAllowedError/);
  });

  test('a copy of the passkey is detected by its signature counter', async () => {
    const { page, cdp, authenticator } = await openPage(origins.house);
    const { id } = await registeredIn(page);
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId: authenticator });
    for (let i = 0; i < 2; i++) {
      expect(await signIn(await get(page, await beginSignIn()))).toEqual({ actor: { id } });
    }
    await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: authenticator });
    const thief = await addAuthenticator(cdp);
    await cdp.send('WebAuthn.addCredential', { authenticatorId: thief, credential: credentials[0]! });
    expect(await signIn(await get(page, await beginSignIn()))).toBe('INVALID_CREDENTIALS');
  });
});
