import { z } from 'zod';
import type { IdentityProvider } from '../../db/generated/prisma/client.ts';
import { ActorRole } from '../../db/generated/prisma/enums.ts';

const roleByGroup = z.array(z.object({ group: z.string(), role: z.enum(ActorRole) }));
const requiredClaims = z.array(z.object({ claim: z.string(), value: z.string() }));

/** The settings of a center's identity provider, without its secret and with its lists parsed. */
export interface ProviderSettings
  extends Pick<
    IdentityProvider,
    | 'centerId'
    | 'name'
    | 'issuer'
    | 'clientId'
    | 'scopes'
    | 'groupsClaim'
    | 'defaultRole'
    | 'externalIdClaim'
    | 'createOnSignIn'
    | 'sessionHours'
    | 'required'
  > {
  /** The first entry whose group is in the claim sets the role. */
  roleByGroup: z.infer<typeof roleByGroup>;
  /** A sign-in without all of them is refused. */
  requiredClaims: z.infer<typeof requiredClaims>;
}

export function providerSettings(row: IdentityProvider): ProviderSettings {
  const {
    clientSecret: _secret,
    testedAt: _tested,
    createdAt: _created,
    updatedAt: _updated,
    ...settings
  } = row;
  return {
    ...settings,
    roleByGroup: roleByGroup.parse(row.roleByGroup),
    requiredClaims: requiredClaims.parse(row.requiredClaims),
  };
}
