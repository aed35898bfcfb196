import { z } from 'zod';
import type { IdentityProvider } from '../../db/generated/prisma/client.ts';
import { ActorRole } from '../../db/generated/prisma/enums.ts';

const roleByGroup = z.array(z.object({ group: z.string(), role: z.enum(ActorRole) }));
const requiredClaims = z.array(z.object({ claim: z.string(), value: z.string() }));

/** What the ADMINs of a center decide about its identity provider, without the secret. */
export interface ProviderSettings
  extends Pick<
    IdentityProvider,
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
  /** The first entry whose group a person is in sets the role. */
  roleByGroup: z.infer<typeof roleByGroup>;
  /** A sign-in without all of these claims is refused. */
  requiredClaims: z.infer<typeof requiredClaims>;
}

export function providerSettings(row: IdentityProvider): ProviderSettings {
  const { name, issuer, clientId, scopes, groupsClaim, defaultRole } = row;
  const { externalIdClaim, createOnSignIn, sessionHours, required } = row;
  return {
    ...{ name, issuer, clientId, scopes, groupsClaim, defaultRole },
    ...{ externalIdClaim, createOnSignIn, sessionHours, required },
    roleByGroup: roleByGroup.parse(row.roleByGroup),
    requiredClaims: requiredClaims.parse(row.requiredClaims),
  };
}
