import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { z } from 'zod';
import type { Config } from '../../config.ts';
import { DomainError } from '../../lib/errors.ts';
import { objectOf, parseJson } from '../../lib/json.ts';
import { plainText } from '../../lib/text.ts';
import type { Context } from '../context.ts';

/**
 * The WebAuthn library. It contains every certificate format and takes ten megabytes, so a process loads it only when the
 * first passkey is used.
 */
export async function loadWebauthn() {
  const [server, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ]);
  return { ...server, ...helpers };
}

/** The relying party: this service, under its public name. A passkey works nowhere else. */
interface RelyingParty {
  id: string;
  name: string;
  origin: string;
}

export function relyingPartyOf({ publicUrl }: Pick<Config, 'publicUrl'>): RelyingParty {
  const { hostname, origin } = new URL(publicUrl);
  if (isIP(hostname.replace(/^\[|\]$/g, ''))) {
    throw new DomainError(
      'SERVICE_UNAVAILABLE',
      'Passkeys require a domain name, but PUBLIC_URL is an IP address.',
    );
  }
  return { id: hostname, name: 'Countersign', origin };
}

const MINUTES = 5;
export const CHALLENGE_MS = MINUTES * 60_000;

/** A new challenge, for one person's registration or, without a person, for sign-in. */
export async function issueChallenge(
  { app, now }: Context,
  actorId: string | null,
): Promise<Buffer<ArrayBuffer>> {
  const challenge = randomBytes(32);
  const expiresAt = new Date(now.getTime() + CHALLENGE_MS);
  await app.db.acrossTenants.passkeyChallenge.create({
    data: { challenge: challenge.toString('base64url'), actorId, expiresAt },
  });
  return challenge;
}

/** Whether this challenge was issued and is unused. It is consumed regardless of the result. */
export async function takeChallenge(
  { app, now }: Context,
  challenge: string,
  actorId: string | null,
): Promise<boolean> {
  const { count } = await app.db.acrossTenants.passkeyChallenge.deleteMany({
    where: { challenge, actorId, expiresAt: { gt: now } },
  });
  return count === 1;
}

const base64url = (longest: number) =>
  z
    .string()
    .regex(/^[\w-]*$/, 'must be base64url')
    .min(1)
    .max(longest);

const credential = { id: base64url(2_048), rawId: base64url(2_048), type: z.literal('public-key') };

/** The browser's response to a request for a new passkey (RegistrationResponseJSON). */
export const registrationResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(8_192),
    attestationObject: base64url(65_536),
    transports: z.array(plainText(32)).max(16).optional(),
  }),
});

/** The browser's response to a request for a signature (AuthenticationResponseJSON). */
export const assertionResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(8_192),
    authenticatorData: base64url(8_192),
    signature: base64url(4_096),
    userHandle: base64url(128).nullish(),
  }),
});

export type RegistrationResponse = z.infer<typeof registrationResponse>;
export type AssertionResponse = z.infer<typeof assertionResponse>;

/** What the browser claims to have signed, not verified yet. */
export function clientDataOf({ response }: { response: { clientDataJSON: string } }): {
  challenge: string;
  crossOrigin: boolean;
} {
  const data = parseJson(Buffer.from(response.clientDataJSON, 'base64url').toString());
  const { challenge, crossOrigin, topOrigin } = objectOf(data);
  return {
    challenge: typeof challenge === 'string' ? challenge : '',
    crossOrigin: (crossOrigin ?? false) !== false || topOrigin !== undefined,
  };
}
