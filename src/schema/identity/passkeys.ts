import { lastVisitedCenter, setSessionCookies } from '../../api/session-cookies.ts';
import type { Passkey as PasskeyRow } from '../../db/generated/prisma/client.ts';
import { listPasskeys, removePasskey } from '../../domain/passkeys/manage-passkeys.ts';
import {
  beginPasskeyRegistration,
  finishPasskeyRegistration,
  finishRegistrationInput,
} from '../../domain/passkeys/register.ts';
import { beginPasskeySignIn, passkeySignInInput, signInWithPasskey } from '../../domain/passkeys/sign-in.ts';
import { builder } from '../builder.ts';
import { columnsOf } from '../exposed.ts';
import { idInput, inputArg, inputType } from '../input-types.ts';
import { SignedIn } from './signed-in.ts';

const Passkey = builder.objectRef<PasskeyRow>('Passkey').implement({
  description: 'A passkey for signing in and signing approvals.',
  fields: (t) => ({
    ...columnsOf('Passkey', t, {
      name: 'The name that the person gave it, such as the device.',
      fingerprint: 'SHA-256 of the public key (SPKI, DER) in hex, as on the audit chain.',
      synced: 'Whether the authenticator backs it up and syncs it between devices.',
      createdAt: 'When the passkey was registered, in UTC.',
      lastUsedAt: 'When it last signed in or signed an approval, in UTC; null if it never did.',
      removedAt: 'When the passkey was removed, in UTC; null if it was not.',
    }),
    id: t.exposeID('id', { description: 'The id of the passkey, `psk_…`.' }),
  }),
});

const FinishPasskeyRegistrationInput = inputType('FinishPasskeyRegistrationInput', finishRegistrationInput, {
  description: 'The new passkey as the browser created it, and its name.',
  types: { response: 'JSON' },
});

const RemovePasskeyInput = idInput(
  'RemovePasskeyInput',
  'One of your passkeys, which can sign nothing afterwards.',
  'The id of the passkey, `psk_…`.',
);

const SignInWithPasskeyInput = inputType('SignInWithPasskeyInput', passkeySignInInput, {
  description: 'The assertion of the browser, and the center to enter.',
  types: { response: 'JSON' },
});

builder.queryField('passkeys', (t) =>
  t.field({
    type: [Passkey],
    description: 'Your passkeys, oldest first.',
    authScopes: { access: { signedIn: true } },
    resolve: (_, __, ctx) => listPasskeys(ctx),
  }),
);

builder.mutationFields((t) => ({
  beginPasskeyRegistration: t.field({
    type: 'JSON',
    description: 'Options for creating a passkey in the browser (PublicKeyCredentialCreationOptionsJSON).',
    authScopes: { access: { signedIn: true } },
    resolve: (_, __, ctx) => beginPasskeyRegistration(ctx),
  }),
  finishPasskeyRegistration: t.field({
    type: Passkey,
    description: 'Registers a passkey. The person is notified by mail.',
    authScopes: { access: { signedIn: true } },
    args: inputArg(FinishPasskeyRegistrationInput, 'The response of the authenticator and a name.'),
    resolve: (_, { input }, ctx) => finishPasskeyRegistration(ctx, input),
  }),
  removePasskey: t.field({
    type: Passkey,
    description: 'Removes one of your passkeys. You are notified by mail.',
    authScopes: { access: { signedIn: true } },
    args: inputArg(RemovePasskeyInput, 'The passkey, which can sign nothing afterwards.'),
    resolve: (_, { input }, ctx) => removePasskey(ctx, input.id),
  }),
  beginPasskeySignIn: t.field({
    type: 'JSON',
    description: 'Options for signing in with a passkey (PublicKeyCredentialRequestOptionsJSON).',
    authScopes: { access: { public: true } },
    resolve: (_, __, ctx) => beginPasskeySignIn(ctx),
  }),
  signInWithPasskey: t.field({
    type: SignedIn,
    description: 'Signs in with a passkey instead of a password.',
    authScopes: { access: { public: true } },
    args: inputArg(SignInWithPasskeyInput, 'The response of the authenticator.'),
    resolve: async (_, { input }, ctx) =>
      setSessionCookies(ctx, await signInWithPasskey(ctx, input, lastVisitedCenter(ctx))),
  }),
}));
