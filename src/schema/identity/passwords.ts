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
import { inputType } from '../input-types.ts';

const ChangePasswordInput = inputType('ChangePasswordInput', changePasswordInput, {
  description: 'The current and the new password.',
});

const RequestPasswordResetInput = inputType('RequestPasswordResetInput', requestPasswordResetInput, {
  description: 'A request for a password reset.',
});

const ResetPasswordInput = inputType('ResetPasswordInput', resetPasswordInput, {
  description: 'The token of the mailed link and the new password.',
  types: { keepPasskeys: 'ID' },
});

const ReadPasswordResetInput = inputType('ReadPasswordResetInput', passwordLinkInput, {
  description: 'The token of the mailed link.',
});

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

const ReauthenticateInput = inputType('ReauthenticateInput', reauthenticateInput, {
  description: 'Either the password or a passkey of the signed-in person.',
  types: { response: 'JSON' },
});

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
