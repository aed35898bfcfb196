import type { BrowserContext, Page } from 'playwright-core';

/** Gives a page an authenticator that unlocks immediately. Passkeys belong to a host name: use localhost, not the IP address. */
export async function addAuthenticator({ page, context }: { page: Page; context: BrowserContext }) {
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
