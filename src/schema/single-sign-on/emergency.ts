import { emergencyAccessInput, setEmergencyAccess } from '../../domain/identities/emergency.ts';
import { builder } from '../builder.ts';
import { inputArg, inputType } from '../input-types.ts';
import { Membership } from '../memberships/membership.ts';

const admins = { access: { roles: ['ADMIN'] } } as const;

const SetEmergencyAccessInput = inputType('SetEmergencyAccessInput', emergencyAccessInput, {
  description: 'An active ADMIN with a password.',
  types: { membershipId: 'ID' },
});

builder.objectField(Membership, 'emergencyAccess', (t) =>
  t.exposeBoolean('emergencyAccess', {
    description:
      'Whether the ADMIN can enter with a password although the center requires its identity provider.',
    authScopes: admins,
  }),
);

builder.mutationField('setEmergencyAccess', (t) =>
  t.field({
    type: Membership,
    description:
      'Lets an ADMIN enter while the center requires its identity provider, or no longer. Needs a password or passkey session with a proof of at most 5 minutes ago.',
    authScopes: admins,
    args: inputArg(SetEmergencyAccessInput, 'The ADMIN, and whether the access is given.'),
    resolve: (_, { input }, ctx) => setEmergencyAccess(ctx, input),
  }),
);
