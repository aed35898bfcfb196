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
import { onlyProperties } from '../exposed.ts';
import { inputArg, inputType } from '../input-types.ts';

const ChangePasswordInput = inputType('ChangePasswordInput', changePasswordInput, {
  description: 'The password until now and the new one.',
});

const RequestPasswordResetInput = inputType('RequestPasswordResetInput', requestPasswordResetInput, {
  description: 'The account whose password is forgotten.',
});

const ResetPasswordInput = inputType('ResetPasswordInput', resetPasswordInput, {
  description: 'The token of the mailed link, the new password and the passkeys to keep.',
  types: { keepPasskeys: 'ID' },
});

const ReadPasswordResetInput = inputType('ReadPasswordResetInput', passwordLinkInput, {
  description: 'The token of the mailed link.',
});

const PasskeyName = builder.objectRef<{ id: string; name: string }>('PasskeyName').implement({
  description: 'A passkey of the account, as the holder of a mailed link sees it.',
  fields: onlyProperties({
    id: ['ID', 'The id of the passkey, `psk_…`.'],
    name: ['String', 'The name that the person gave it, such as the device.'],
  }),
});

const PasswordReset = builder
  .objectRef<Awaited<ReturnType<typeof readPasswordReset>>>('PasswordReset')
  .implement({
    description: 'The account behind a mailed link to set a new password.',
    fields: onlyProperties({
      passkeys: [
        [PasskeyName],
        'The passkeys of the account. The new password removes those that are not kept.',
      ],
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
    args: inputArg(RequestPasswordResetInput, 'The email address of the account.'),
    resolve: (_, { input }, ctx) => requestPasswordReset(ctx, input),
  }),
  readPasswordReset: t.field({
    type: PasswordReset,
    description: 'Lists the passkeys of the account behind a mailed link. The link remains valid.',
    authScopes: { access: { public: true } },
    args: inputArg(ReadPasswordResetInput, 'The part of the mailed link after the #.'),
    resolve: (_, { input }, ctx) => readPasswordReset(ctx, input),
  }),
  reauthenticate: t.boolean({
    description:
      'Proves once more who uses this session. Changes of passkeys and of the password need a proof, or a sign-in, of ' +
      'at most 5 minutes ago; without one they answer REAUTHENTICATION_REQUIRED. Counts in the sign-in rate.',
    authScopes: { access: { signedIn: true } },
    args: inputArg(ReauthenticateInput, 'A password or a passkey.'),
    resolve: (_, { input }, ctx) => reauthenticate(ctx, input),
  }),
  resetPassword: t.boolean({
    description:
      'Sets a new password with a mailed link, once and within an hour. Ends all sessions of the person and removes ' +
      'the passkeys that are not kept.',
    authScopes: { access: { public: true } },
    args: inputArg(
      ResetPasswordInput,
      'The token of the mailed link, the new password and the passkeys to keep.',
    ),
    resolve: (_, { input }, ctx) => resetPassword(ctx, input),
  }),
  changePassword: t.boolean({
    description: 'Changes your password and ends all your other sessions.',
    authScopes: { access: { signedIn: true } },
    args: inputArg(ChangePasswordInput, 'The password until now and the new one.'),
    resolve: (_, { input }, ctx) => changePassword(ctx, input),
  }),
}));
