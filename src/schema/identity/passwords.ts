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
    description: 'The password as it is and as it shall be.',
    fields: (t) => ({
      currentPassword: t.string({ required: true, description: 'The password as it is now.' }),
      newPassword: t.string({ required: true, description: 'The new one, 10 to 1024 characters.' }),
    }),
  })
  .validate(changePasswordInput);

const RequestPasswordResetInput = builder
  .inputType('RequestPasswordResetInput', {
    description: 'An address whose owner wants a new password.',
    fields: (t) => ({
      email: t.string({ required: true, description: 'The email address of the account.' }),
    }),
  })
  .validate(requestPasswordResetInput);

const ResetPasswordInput = builder
  .inputType('ResetPasswordInput', {
    description: 'What the mailed link carries, and the password to set with it.',
    fields: (t) => ({
      token: t.string({ required: true, description: 'What stands behind the # of the link.' }),
      password: t.string({ required: true, description: 'The new password, 10 to 1024 characters.' }),
      keepPasskeys: t.idList({
        description:
          'The passkeys to keep; all others are removed. Without it all passkeys of the account are removed.',
      }),
    }),
  })
  .validate(resetPasswordInput);

const ReadPasswordResetInput = builder
  .inputType('ReadPasswordResetInput', {
    description: 'What the mailed link carries.',
    fields: (t) => ({
      token: t.string({ required: true, description: 'What stands behind the # of the link.' }),
    }),
  })
  .validate(passwordLinkInput);

const PasskeyName = builder.objectRef<{ id: string; name: string }>('PasskeyName').implement({
  description: 'A passkey of the account, as the holder of a mailed link sees it.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Names the passkey.' }),
    name: t.exposeString('name', { description: 'What the person calls it.' }),
  }),
});

const PasswordReset = builder
  .objectRef<Awaited<ReturnType<typeof readPasswordReset>>>('PasswordReset')
  .implement({
    description: 'What a mailed link to set a new password is about.',
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
          'What the browser answered (AuthenticationResponseJSON) to the options of `beginPasskeySignIn`.',
      }),
    }),
  })
  .validate(reauthenticateInput);

builder.mutationFields((t) => ({
  requestPasswordReset: t.boolean({
    description:
      'Mails a link to set a new password, if anybody has this address. The answer is true in any case.',
    authScopes: { access: { public: true } },
    args: {
      input: t.arg({
        type: RequestPasswordResetInput,
        required: true,
        description: 'Whose password is to be reset.',
      }),
    },
    resolve: (_, { input }, ctx) => requestPasswordReset(ctx, input),
  }),
  readPasswordReset: t.field({
    type: PasswordReset,
    description: 'Shows the passkeys of the account behind a mailed link, which goes on working.',
    authScopes: { access: { public: true } },
    args: {
      input: t.arg({ type: ReadPasswordResetInput, required: true, description: 'What the link carries.' }),
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
    description: "Replaces the person's own password and ends all their other sessions.",
    authScopes: { access: { signedIn: true } },
    args: {
      input: t.arg({
        type: ChangePasswordInput,
        required: true,
        description: 'The password as it is and as it shall be.',
      }),
    },
    resolve: (_, { input }, ctx) => changePassword(ctx, input),
  }),
}));
