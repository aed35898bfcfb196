import { changePassword, changePasswordInput } from '../../domain/credentials/change-password.ts';
import { reauthenticate, reauthenticateInput } from '../../domain/credentials/reauthenticate.ts';
import {
  passwordLinkInput,
  readPasswordReset,
  requestPasswordReset,
  requestPasswordResetInput,
  resetPassword,
  resetPasswordInput,
} from '../../domain/credentials/reset-password.ts';
import { builder } from '../builder.ts';

const ChangePasswordInput = builder
  .inputType('ChangePasswordInput', {
    description: 'The current and the new password.',
    fields: (t) => ({
      currentPassword: t.string({ required: true, description: 'The current password.' }),
      newPassword: t.string({ required: true, description: 'The new password, 10 to 1024 characters.' }),
    }),
  })
  .validate(changePasswordInput);

const RequestPasswordResetInput = builder
  .inputType('RequestPasswordResetInput', {
    description: 'A request for a password reset.',
    fields: (t) => ({
      email: t.string({ required: true, description: 'The email address of the account.' }),
    }),
  })
  .validate(requestPasswordResetInput);

const ResetPasswordInput = builder
  .inputType('ResetPasswordInput', {
    description: 'The token of the mailed link and the new password.',
    fields: (t) => ({
      token: t.string({ required: true, description: 'The part of the link after the #.' }),
      password: t.string({ required: true, description: 'The new password, 10 to 1024 characters.' }),
      keepPasskeys: t.idList({
        description: 'The passkeys to keep. All others are removed. Default: none are kept.',
      }),
    }),
  })
  .validate(resetPasswordInput);

const ReadPasswordResetInput = builder
  .inputType('ReadPasswordResetInput', {
    description: 'The token of the mailed link.',
    fields: (t) => ({
      token: t.string({ required: true, description: 'The part of the link after the #.' }),
    }),
  })
  .validate(passwordLinkInput);

const PasskeyName = builder.objectRef<{ id: string; name: string }>('PasskeyName').implement({
  description: 'A passkey of the account, as the holder of a mailed link sees it.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the passkey.' }),
    name: t.exposeString('name', { description: 'The name given by the person.' }),
  }),
});

const PasswordReset = builder
  .objectRef<Awaited<ReturnType<typeof readPasswordReset>>>('PasswordReset')
  .implement({
    description: 'The account behind a mailed link to set a new password.',
    fields: (t) => ({
      passkeys: t.field({
        type: [PasskeyName],
        description: 'The passkeys of the account. The new password removes those that are not kept.',
        resolve: ({ passkeys }) => passkeys,
      }),
    }),
  });

const ReauthenticateInput = builder
  .inputType('ReauthenticateInput', {
    description: 'Either the password or a passkey of the signed-in person.',
    fields: (t) => ({
      password: t.string({ description: 'The password of the account.' }),
      response: t.field({
        type: 'JSON',
        description:
          "The browser's response (AuthenticationResponseJSON) to the options of `beginPasskeySignIn`.",
      }),
    }),
  })
  .validate(reauthenticateInput);

builder.mutationFields((t) => ({
  requestPasswordReset: t.boolean({
    description: 'Mails a link to set a new password if the address has an account. Always returns true.',
    authScopes: { access: { public: true } },
    args: {
      input: t.arg({
        type: RequestPasswordResetInput,
        required: true,
        description: 'The email address of the account.',
      }),
    },
    resolve: (_, { input }, ctx) => requestPasswordReset(ctx, input),
  }),
  readPasswordReset: t.field({
    type: PasswordReset,
    description: 'Lists the passkeys of the account behind a mailed link. The link remains valid.',
    authScopes: { access: { public: true } },
    args: {
      input: t.arg({ type: ReadPasswordResetInput, required: true, description: 'The token of the link.' }),
    },
    resolve: (_, { input }, ctx) => readPasswordReset(ctx, input),
  }),
  reauthenticate: t.boolean({
    description:
      'Proves once more who uses this session. Changes of passkeys and of the password need a proof, or a sign-in, of ' +
      'at most 5 minutes ago; without one they answer REAUTHENTICATION_REQUIRED. Counts in the sign-in rate.',
    authScopes: { access: { signedIn: true } },
    args: {
      input: t.arg({ type: ReauthenticateInput, required: true, description: 'A password or a passkey.' }),
    },
    resolve: (_, { input }, ctx) => reauthenticate(ctx, input),
  }),
  resetPassword: t.boolean({
    description:
      'Sets a new password with a mailed link, once and within an hour. Ends all sessions of the person and removes ' +
      'the passkeys that are not kept.',
    authScopes: { access: { public: true } },
    args: { input: t.arg({ type: ResetPasswordInput, required: true, description: 'Token and password.' }) },
    resolve: (_, { input }, ctx) => resetPassword(ctx, input),
  }),
  changePassword: t.boolean({
    description: 'Changes your password and ends all your other sessions.',
    authScopes: { access: { signedIn: true } },
    args: {
      input: t.arg({
        type: ChangePasswordInput,
        required: true,
        description: 'The current and the new password.',
      }),
    },
    resolve: (_, { input }, ctx) => changePassword(ctx, input),
  }),
}));
