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
import { SignedIn } from './signed-in.ts';

const Passkey = builder.objectRef<PasskeyRow>('Passkey').implement({
  description: 'A key on a device of the person, with which they sign in and sign approvals.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Names the passkey.' }),
    name: t.exposeString('name', { description: 'What the person calls it.' }),
    fingerprint: t.exposeString('fingerprint', {
      description: 'SHA-256 of its public key (SPKI, DER) in hex; the audit chain names it so.',
    }),
    synced: t.exposeBoolean('synced', { description: 'Whether several devices share it through a cloud.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was registered.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it last signed something.',
    }),
    removedAt: t.expose('removedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was removed, if it was.',
    }),
  }),
});

const FinishPasskeyRegistrationInput = builder
  .inputType('FinishPasskeyRegistrationInput', {
    description: 'A passkey that the browser has just made.',
    fields: (t) => ({
      name: t.string({ required: true, description: 'What to call it, such as the device.' }),
      response: t.field({
        type: 'JSON',
        required: true,
        description: 'What the browser answered (RegistrationResponseJSON).',
      }),
    }),
  })
  .validate(finishRegistrationInput);

const RemovePasskeyInput = builder.inputType('RemovePasskeyInput', {
  description: 'A passkey that shall no longer sign in or approve.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The id of the passkey.' }) }),
});

const SignInWithPasskeyInput = builder
  .inputType('SignInWithPasskeyInput', {
    description: 'A passkey in place of email and password.',
    fields: (t) => ({
      response: t.field({
        type: 'JSON',
        required: true,
        description: 'What the browser answered (AuthenticationResponseJSON).',
      }),
      centerDomain: t.string({ description: 'The center to enter directly.' }),
    }),
  })
  .validate(passkeySignInInput);

builder.queryField('passkeys', (t) =>
  t.field({
    type: [Passkey],
    description: "The person's own passkeys, oldest first.",
    authScopes: { access: { signedIn: true } },
    resolve: (_, __, ctx) => listPasskeys(ctx),
  }),
);

builder.mutationFields((t) => ({
  beginPasskeyRegistration: t.field({
    type: 'JSON',
    description: 'What to hand to the browser to make a passkey (PublicKeyCredentialCreationOptionsJSON).',
    authScopes: { access: { signedIn: true } },
    resolve: (_, __, ctx) => beginPasskeyRegistration(ctx),
  }),
  finishPasskeyRegistration: t.field({
    type: Passkey,
    description: 'Keeps the passkey that the browser has made; the person is told by mail.',
    authScopes: { access: { signedIn: true } },
    args: {
      input: t.arg({
        type: FinishPasskeyRegistrationInput,
        required: true,
        description: 'What the authenticator answered, and what to call it.',
      }),
    },
    resolve: (_, { input }, ctx) => finishPasskeyRegistration(ctx, input),
  }),
  removePasskey: t.field({
    type: Passkey,
    description: "Removes one of the person's own passkeys at once; they are told by mail.",
    authScopes: { access: { signedIn: true } },
    args: {
      input: t.arg({ type: RemovePasskeyInput, required: true, description: 'Which passkey to remove.' }),
    },
    resolve: (_, { input }, ctx) => removePasskey(ctx, String(input.id)),
  }),
  beginPasskeySignIn: t.field({
    type: 'JSON',
    description: 'What to hand to the browser to sign in (PublicKeyCredentialRequestOptionsJSON).',
    authScopes: { access: { public: true } },
    resolve: (_, __, ctx) => beginPasskeySignIn(ctx),
  }),
  signInWithPasskey: t.field({
    type: SignedIn,
    description: 'Opens a session for whoever holds the passkey.',
    authScopes: { access: { public: true } },
    args: {
      input: t.arg({
        type: SignInWithPasskeyInput,
        required: true,
        description: 'What the authenticator answered.',
      }),
    },
    resolve: async (_, { input }, ctx) =>
      setSessionCookies(ctx, await signInWithPasskey(ctx, input, lastVisitedCenter(ctx))),
  }),
}));
