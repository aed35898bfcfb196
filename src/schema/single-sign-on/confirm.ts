import { clearConnectCookie, connectSecretOf, setSessionCookies } from '../../api/session-cookies.ts';
import {
  confirmIdentity,
  confirmIdentityInput,
  mailIdentityLink,
  readWaitingIdentity,
  type WaitingView,
} from '../../domain/identities/confirm.ts';
import type { MatchedBy } from '../../domain/identities/match.ts';
import { builder } from '../builder.ts';
import { enumType } from '../enum-types.ts';
import { onlyProperties } from '../exposed.ts';
import { SignedIn } from '../identity/signed-in.ts';
import { inputArg, inputType } from '../input-types.ts';

const MatchedByRef = enumType<MatchedBy>('IdentityMatch', 'How a new identity was recognized as a member.', {
  EXTERNAL_ID: 'The directory of the center names this identity.',
  ADDRESS: 'The member has the verified address of this identity.',
});

const WaitingIdentity = builder.objectRef<WaitingView>('WaitingIdentity').implement({
  description: 'A sign-in at a provider that waits until the person proves that a profile is theirs.',
  fields: onlyProperties({
    centerName: ['String', 'The name of the center that people see.'],
    centerDomain: ['String', 'The domain slug of the center.'],
    providerName: ['String', 'The name of the provider, as on the sign-in button.'],
    issuer: ['String', 'The issuer URL of the provider.'],
    name: ['String', 'The name of the member whose profile is to be connected.'],
    email: [
      'String?',
      'The address that a link can be mailed to, masked unless the provider gave it too; null if there is none.',
    ],
    matchedBy: [MatchedByRef, 'Why this profile was found.'],
    hasAccount: [
      'Boolean',
      'Whether the profile is an account, which can have a password; otherwise it exists in its center only.',
    ],
    next: ['String?', 'The console path to open afterwards; null for the landing page.'],
    expiresAt: ['DateTime', 'When the sign-in stops waiting, in UTC.'],
  }),
});

const ConfirmIdentityInput = inputType('ConfirmIdentityInput', confirmIdentityInput, {
  description: 'One proof that the profile is yours: its password, one of its passkeys, or the mailed link.',
  types: { response: 'JSON' },
});

builder.queryField('waitingIdentity', (t) =>
  t.field({
    type: WaitingIdentity,
    nullable: true,
    description:
      'The sign-in that waits in this browser until a profile is proven; null if none waits. Found by the cookie `connect`.',
    authScopes: { access: { public: true } },
    resolve: (_, __, ctx) => readWaitingIdentity(ctx, connectSecretOf(ctx)),
  }),
);

builder.mutationFields((t) => ({
  confirmIdentity: t.field({
    type: SignedIn,
    description:
      'Proves that the profile is yours, connects the sign-in that waits in this browser and signs in. Counts in the sign-in rate. UNAUTHORIZED if none waits.',
    authScopes: { access: { public: true } },
    args: inputArg(ConfirmIdentityInput, 'Exactly one proof.'),
    resolve: async (_, { input }, ctx) => {
      const signedIn = await confirmIdentity(ctx, connectSecretOf(ctx), input);
      clearConnectCookie(ctx);
      return setSessionCookies(ctx, signedIn);
    },
  }),
  mailIdentityLink: t.boolean({
    description:
      'Mails a link that proves the profile to the address that the center knows. Always returns true. Counts as an invitation.',
    authScopes: { access: { public: true } },
    resolve: (_, __, ctx) => mailIdentityLink(ctx, connectSecretOf(ctx)),
  }),
}));
