import { changePassword, changePasswordInput } from '../../domain/identity/change-password.ts';
import {
  requestPasswordReset,
  requestPasswordResetInput,
  resetPassword,
  resetPasswordInput,
} from '../../domain/identity/reset-password.ts';
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
    }),
  })
  .validate(resetPasswordInput);

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
  resetPassword: t.boolean({
    description:
      'Sets a new password with a mailed link, once and within an hour, and ends all sessions of the person.',
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
