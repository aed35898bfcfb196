import { changePassword, changePasswordInput } from '../../domain/identity/change-password.ts';
import { createInvitationToken } from '../../domain/identity/invitation-token.ts';
import {
  requestPasswordReset,
  requestPasswordResetInput,
  resetPassword,
  resetPasswordInput,
} from '../../domain/identity/reset-password.ts';
import { setPassword, setPasswordInput } from '../../domain/identity/set-password.ts';
import { membershipRef } from '../../domain/memberships/move.ts';
import { builder } from '../builder.ts';

const InvitationToken = builder
  .objectRef<Awaited<ReturnType<typeof createInvitationToken>>>('InvitationToken')
  .implement({
    description: 'A token with which somebody who was invited sets their first password, once.',
    fields: (t) => ({
      token: t.exposeString('token', { description: 'The token itself, shown this once.' }),
      expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When it stops working.' }),
    }),
  });

const PasswordSet = builder.objectRef<Awaited<ReturnType<typeof setPassword>>>('PasswordSet').implement({
  description: 'Whose password was set.',
  fields: (t) => ({
    email: t.exposeString('email', {
      nullable: true,
      description: 'The address to sign in with; null for people who sign in by phone.',
    }),
  }),
});

const CreateInvitationTokenInput = builder
  .inputType('CreateInvitationTokenInput', {
    description: 'The membership of the person who shall be able to sign in.',
    fields: (t) => ({ membershipId: t.id({ required: true, description: 'Its id.' }) }),
  })
  .validate(membershipRef);

const SetPasswordInput = builder
  .inputType('SetPasswordInput', {
    description: 'A token and the password to set with it.',
    fields: (t) => ({
      token: t.string({ required: true, description: 'The token that the center handed over.' }),
      password: t.string({ required: true, description: 'The password, 10 to 1024 characters.' }),
    }),
  })
  .validate(setPasswordInput);

const ChangePasswordInput = builder
  .inputType('ChangePasswordInput', {
    description: 'The password as it is and as it shall be.',
    fields: (t) => ({
      currentPassword: t.string({ required: true, description: 'The password as it is.' }),
      newPassword: t.string({ required: true, description: 'The new one, 10 to 1024 characters.' }),
    }),
  })
  .validate(changePasswordInput);

const RequestPasswordResetInput = builder
  .inputType('RequestPasswordResetInput', {
    description: 'An address whose owner wants a new password.',
    fields: (t) => ({ email: t.string({ required: true, description: 'The address.' }) }),
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
    args: { input: t.arg({ type: RequestPasswordResetInput, required: true, description: 'Whose.' }) },
    resolve: (_, { input }, ctx) => requestPasswordReset(ctx, input),
  }),
  resetPassword: t.boolean({
    description:
      'Sets a new password with a mailed link, once and within an hour, and ends all sessions of the person.',
    authScopes: { access: { public: true } },
    args: { input: t.arg({ type: ResetPasswordInput, required: true, description: 'Token and password.' }) },
    resolve: (_, { input }, ctx) => resetPassword(ctx, input),
  }),
  createInvitationToken: t.field({
    type: InvitationToken,
    description:
      'Makes a token, good for 72 hours, with which an invited person sets their first password. For whoever ' +
      'administers the center; CONFLICT for somebody who has an account already or belongs elsewhere too.',
    // Who administers it depends on the membership itself, so the domain decides (see memberships/authority.ts).
    authScopes: { access: { signedIn: true } },
    args: {
      input: t.arg({ type: CreateInvitationTokenInput, required: true, description: 'Which membership.' }),
    },
    resolve: (_, { input }, ctx) => createInvitationToken(ctx, String(input.membershipId)),
  }),
  setPassword: t.field({
    type: PasswordSet,
    description: 'Consumes a token and sets the first password. The token itself is the credential.',
    authScopes: { access: { public: true } },
    args: { input: t.arg({ type: SetPasswordInput, required: true, description: 'Token and password.' }) },
    resolve: (_, { input }, ctx) => setPassword(ctx, input),
  }),
  changePassword: t.boolean({
    description: "Replaces the person's own password and ends all their other sessions.",
    authScopes: { access: { signedIn: true } },
    args: { input: t.arg({ type: ChangePasswordInput, required: true, description: 'Old and new.' }) },
    resolve: (_, { input }, ctx) => changePassword(ctx, input),
  }),
}));
