import { lastVisitedCenter } from '../../api/session-cookies.ts';
import {
  emailField,
  findSignInOptions,
  type SignInOptions as Options,
  signInOptionsOf,
} from '../../domain/centers/sign-in-options.ts';
import { makeLoader } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { Center, CenterInfo } from '../centers/center.ts';
import { onlyProperties, orNull } from '../exposed.ts';

const SignInProvider = builder.objectRef<NonNullable<Options['oidc']>>('SignInProvider').implement({
  description: "A company's identity provider, as the sign-in page shows it.",
  fields: onlyProperties({
    name: ['String', 'The name that people see on the button.'],
    startUrl: ['String', 'The address that begins a sign-in there. It takes `next` and `hint` too.'],
  }),
});

const SignInOptions = builder.objectRef<Options>('SignInOptions').implement({
  description: 'How people sign in to a center.',
  fields: onlyProperties({
    password: [
      'Boolean',
      'Whether passwords and passkeys open the center. If not, only its emergency administrators can use them.',
    ],
    oidc: [orNull(SignInProvider), "The company's identity provider; null without one."],
  }),
});

const optionsOf = makeLoader(signInOptionsOf);

for (const type of [Center, CenterInfo]) {
  builder.objectField(type as typeof CenterInfo, 'signIn', (t) =>
    t.field({
      type: SignInOptions,
      description: 'How people sign in: by password or passkey, and through which identity provider.',
      complexity: 2,
      resolve: async ({ centerDomain }, _, ctx) => (await optionsOf(ctx, centerDomain))!,
    }),
  );
}

builder.queryField('signInOptions', (t) =>
  t.field({
    type: SignInOptions,
    description:
      'How to sign in to a center, or with an email address; without either, to the center that the browser visited last. For an address it depends on the verified email domain alone, not on whether an account exists.',
    authScopes: { access: { public: true } },
    args: {
      center: t.arg.string({ description: 'The domain slug of the center.' }),
      email: t.arg.string({
        description: 'The email address, used if the center is not given or has no identity provider.',
        validate: emailField.nullish(),
      }),
    },
    resolve: (_, args, ctx) => findSignInOptions(ctx, args, lastVisitedCenter(ctx)),
  }),
);
