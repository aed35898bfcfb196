import { type CenterTransition, moveCenter } from '../../domain/centers/administer.ts';
import { publicPaths, updateCenter, updateCenterInput } from '../../domain/centers/update.ts';
import { builder } from '../builder.ts';
import { Center } from './center.ts';

const ProofPageInput = builder.inputType('ProofPageInput', {
  description: 'Settings of the public proof page.',
  fields: (t) => ({
    enabled: t.boolean({ description: 'Whether the public page is enabled.' }),
    disclose: t.stringList({
      description: `What is shown beside what is sealed in the open: any of ${publicPaths.join(', ')}.`,
    }),
  }),
});

const UpdateCenterInput = builder
  .inputType('UpdateCenterInput', {
    description: 'Changes to the current center. Omitted members stay unchanged.',
    fields: (t) => ({
      name: t.string({ description: 'The display name.' }),
      description: t.string({ description: 'The public description.' }),
      logo: t.string({ description: 'The URL of the logo; empty for none.' }),
      timezone: t.string({ description: 'The IANA time zone.' }),
      country: t.string({
        description:
          'The country (ISO 3166, two letters) for policies; null removes it. Only a platform admin can move a center out of the scope of an enforcing policy.',
      }),
      region: t.string({
        description:
          'The region for policies; null removes it. The same restriction as for the country applies.',
      }),
      emailDomains: t.stringList({
        description: 'Email domains whose users land in this center after signing in.',
      }),
      erasureNeedsTwo: t.boolean({
        description:
          'Whether a second ADMIN must confirm erasures. Switching it off takes two as well: the call of one ADMIN asks for it, the same call of another one does it.',
      }),
      guardianBooking: t.boolean({
        description: 'Whether PARENTs can book and cancel for themselves and their children. Default: true.',
      }),
      proof: t.field({ type: ProofPageInput, description: 'Settings of the public proof pages.' }),
    }),
  })
  .validate(updateCenterInput);

const CenterMoveInput = builder.inputType('CenterMoveInput', {
  description: 'A center to suspend, reactivate or close.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The id of the center.' }) }),
});

builder.mutationField('updateCenter', (t) =>
  t.field({
    type: Center,
    description: 'Changes the current center.',
    authScopes: { access: { roles: ['ADMIN'] } },
    args: {
      input: t.arg({
        type: UpdateCenterInput,
        required: true,
        description: 'The settings to change. Omitted members stay unchanged.',
      }),
    },
    resolve: (_, { input }, ctx) => updateCenter(ctx, input),
  }),
);

const transitions: Record<CenterTransition, string> = {
  suspend: 'Suspends a center. No member can enter until it is reactivated.',
  reactivate: 'Reactivates a suspended center.',
  end: 'Closes a center permanently and ends its memberships. Its records remain.',
};

for (const [move, description] of Object.entries(transitions) as [CenterTransition, string][]) {
  builder.mutationField(`${move}Center`, (t) =>
    t.field({
      type: Center,
      description,
      authScopes: { access: { platformAdmin: true } },
      args: {
        input: t.arg({
          type: CenterMoveInput,
          required: true,
          description: 'The center to change the status of.',
        }),
      },
      resolve: (_, { input }, ctx) => moveCenter(ctx, String(input.id), move),
    }),
  );
}
