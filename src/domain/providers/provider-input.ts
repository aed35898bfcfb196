import { z } from 'zod';
import { ActorRole } from '../../db/generated/prisma/enums.ts';
import { type FieldFault, validationError } from '../../lib/errors.ts';
import { checkTargetUrl, type TargetRules } from '../../lib/outbound/targets.ts';
import { plainText } from '../../lib/text.ts';
import { publicIssuerFault } from './public-issuers.ts';

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const isVisible = (text: string) => !INVISIBLE.test(text);

const line = (longest: number) =>
  plainText(longest).trim().min(1).refine(isVisible, 'must not contain line breaks or invisible characters');

/** What RFC 6749 allows in client ids and secrets. */
const printable = (longest: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(longest)
    .regex(/^[\x20-\x7e]+$/, 'must consist of printable ASCII characters');

const claimName = line(255);

export const roleByGroupInput = z.object({
  group: line(255).describe('The group as the claim has it, 1 to 255 characters.'),
  role: z.enum(ActorRole).describe('The role that the group gives.'),
});

export const requiredClaimInput = z.object({
  claim: claimName.describe('The name of the claim, 1 to 255 characters.'),
  value: line(255).describe('The value that the claim has, or contains if it is a list.'),
});

export const identityProviderInput = z.object({
  name: line(64).describe('The name on the sign-in button, 1 to 64 characters.'),
  issuer: z
    .string()
    .trim()
    .min(1)
    .max(2_048)
    .describe('The issuer URL, exactly as the discovery document of the provider spells it.'),
  clientId: printable(255).describe('The id of the client that is registered at the provider.'),
  clientSecret: printable(2_048)
    .nullish()
    .describe(
      'The secret of the client. It is stored encrypted and never shown. Null keeps the stored one, while issuer and client stay the same.',
    ),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/, 'must be a scope without spaces'))
    .max(20)
    .default(['openid', 'email', 'profile'])
    .transform((scopes) => [...new Set(scopes)])
    .refine((scopes) => scopes.includes('openid'), 'must contain openid')
    .describe('The scopes to request, at most 20; openid is among them.'),
  groupsClaim: claimName
    .nullish()
    .transform((claim) => claim ?? null)
    .describe('The claim with the groups of a person; null without one.'),
  roleByGroup: z
    .array(roleByGroupInput)
    .max(200)
    .default([])
    .describe(
      'The roles of groups, at most 200. At every sign-in, the first entry whose group the person is in sets the role. Empty: roles are set by hand.',
    ),
  defaultRole: z
    .enum(ActorRole)
    .nullish()
    .transform((role) => role ?? null)
    .describe('The role of a person in none of the groups; null refuses such a person.'),
  requiredClaims: z
    .array(requiredClaimInput)
    .max(20)
    .default([])
    .describe('Claims that every sign-in must have, at most 20.'),
  externalIdClaim: claimName
    .default('sub')
    .describe('The claim that equals the `externalId` of users from SCIM.'),
  createOnSignIn: z
    .boolean()
    .default(true)
    .describe('Whether a person that the center does not know becomes a member at the first sign-in.'),
  sessionHours: z
    .int()
    .min(1)
    .max(720)
    .default(12)
    .describe('How many hours after the sign-in a session ends, 1 to 720.'),
  required: z
    .boolean()
    .default(false)
    .describe('Whether passwords and passkeys no longer open the center, except for emergency access.'),
});

export type IdentityProviderInput = z.infer<typeof identityProviderInput>;

/** Throws if parts of the input contradict each other, or the issuer may not be used. */
export function checkProviderInput(input: IdentityProviderInput, rules: TargetRules): void {
  const faults = [issuerFault(input.issuer, rules), groupsFault(input)].filter((fault) => fault !== null);
  if (faults.length === 0) faults.push(...[publicIssuerFault(input)].filter((fault) => fault !== null));
  if (faults.length > 0) throw validationError(faults);
}

function issuerFault(issuer: string, rules: TargetRules): FieldFault | null {
  const refuse = (message: string) => ({ path: 'issuer', message });
  const target = checkTargetUrl(issuer, rules);
  if (!target.ok) return refuse(target.reason);
  if (issuer.includes('?') || issuer.includes('#')) return refuse('must have no query and no fragment');
  if (target.url.pathname.includes('/.well-known/'))
    return refuse('must be the issuer itself, without /.well-known/openid-configuration');
  return null;
}

const groupsFault = ({ groupsClaim, roleByGroup }: IdentityProviderInput): FieldFault | null =>
  roleByGroup.length > 0 && groupsClaim === null
    ? { path: 'groupsClaim', message: 'must name the claim with the groups, because roleByGroup is given' }
    : null;
