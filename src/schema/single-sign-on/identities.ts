import { linkIdentity, linkIdentityInput } from '../../domain/identities/link.ts';
import { identitiesOfMembers, type MemberIdentity } from '../../domain/identities/member-identities.ts';
import { listIdentities, type OwnIdentity, unlinkIdentity } from '../../domain/identities/own-identities.ts';
import { reauthenticateWithProvider } from '../../domain/identities/reauthenticate.ts';
import { makeLoader } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { onlyProperties } from '../exposed.ts';
import { idInput, inputArg, inputType } from '../input-types.ts';
import { Membership } from '../memberships/membership.ts';

const Identity = builder.objectRef<OwnIdentity>('Identity').implement({
  description: "A sign-in at a center's identity provider that opens your profile in that center.",
  fields: onlyProperties({
    id: ['ID', 'The id of the identity, `idn_…`.'],
    centerDomain: ['String', 'The domain slug of the center.'],
    centerName: ['String', 'The name of the center that people see.'],
    issuer: ['String', 'The issuer URL of the provider.'],
    email: ['String?', 'The address that the provider gave last; null if it gave none.'],
    linkedAt: ['DateTime', 'When the identity was connected, in UTC.'],
    lastSignInAt: ['DateTime?', 'When it was last used to sign in, in UTC; null if never.'],
  }),
});

const MembershipIdentity = builder.objectRef<MemberIdentity>('MembershipIdentity').implement({
  description: "How a member signs in at the center's identity provider.",
  fields: onlyProperties({
    issuer: ['String', 'The issuer URL of the provider.'],
    subject: ['String', 'The subject of the person at the provider.'],
    lastSignInAt: ['DateTime?', 'When the person last signed in there, in UTC; null if never.'],
  }),
});

const ProviderAddress = builder.objectRef<{ url: string }>('ProviderSignInAddress').implement({
  description: 'Where the browser goes to sign in at an identity provider.',
  fields: onlyProperties({
    url: ['String', 'The address to open, once and within 5 minutes, in the browser of this session.'],
  }),
});

const LinkIdentityInput = inputType('LinkIdentityInput', linkIdentityInput, {
  description: 'The center whose identity provider to sign in at.',
});

const UnlinkIdentityInput = idInput(
  'UnlinkIdentityInput',
  'One of your identities, which no longer opens your profile.',
  'The id of the identity, `idn_…`.',
);

const identityOf = makeLoader(identitiesOfMembers);

builder.objectField(Membership, 'identity', (t) =>
  t.field({
    type: MembershipIdentity,
    nullable: true,
    description:
      "The identity at the center's provider with which the person last signed in; null for those who never have.",
    authScopes: { access: { roles: ['ADMIN'] } },
    resolve: async ({ actorId }, _, ctx) =>
      actorId === null ? null : ((await identityOf(ctx, actorId)) ?? null),
  }),
);

builder.queryField('identities', (t) =>
  t.field({
    type: [Identity],
    description: 'The identities that open your profile in centers with an identity provider, oldest first.',
    authScopes: { access: { signedIn: true } },
    resolve: (_, __, ctx) => listIdentities(ctx),
  }),
);

builder.mutationFields((t) => ({
  linkIdentity: t.field({
    type: ProviderAddress,
    description:
      "Begins connecting an identity of a center's provider to your account. Needs a password or passkey session with a proof of at most 5 minutes ago.",
    authScopes: { access: { signedIn: true } },
    args: inputArg(LinkIdentityInput, 'The center whose identity provider to sign in at.'),
    resolve: (_, { input }, ctx) => linkIdentity(ctx, input),
  }),
  unlinkIdentity: t.boolean({
    description:
      'Disconnects an identity and ends its sessions; the membership stays. Needs a password or passkey session with a proof of at most 5 minutes ago.',
    authScopes: { access: { signedIn: true } },
    args: inputArg(UnlinkIdentityInput, 'The identity to disconnect.'),
    resolve: (_, { input }, ctx) => unlinkIdentity(ctx, input),
  }),
  reauthenticateWithProvider: t.field({
    type: ProviderAddress,
    description:
      'For people without an account: signing in at the provider again proves once more who uses this session.',
    authScopes: { access: { signedIn: true } },
    resolve: (_, __, ctx) => reauthenticateWithProvider(ctx),
  }),
}));
