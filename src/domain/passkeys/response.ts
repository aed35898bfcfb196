import { z } from 'zod';
import { plainText } from '../../lib/text.ts';

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
  try {
    const data = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString()) as unknown;
    const { challenge, crossOrigin, topOrigin } = data as Record<string, unknown>;
    return {
      challenge: typeof challenge === 'string' ? challenge : '',
      crossOrigin: (crossOrigin ?? false) !== false || topOrigin !== undefined,
    };
  } catch {
    return { challenge: '', crossOrigin: false };
  }
}
