import { type CenterTransition, moveCenter } from '../../domain/centers/administer.ts';
import { publicPaths, updateCenter, updateCenterInput } from '../../domain/centers/update.ts';
import { builder } from '../builder.ts';
import { Center } from './center.ts';

const ProofPageInput = builder.inputType('ProofPageInput', {
  description: 'What everybody may see of a sealed decision: its page and its proof.',
  fields: (t) => ({
    enabled: t.boolean({ description: 'Whether there is anything to see at all.' }),
    disclose: t.stringList({
      description: `What is shown beside what is sealed in the open: any of ${publicPaths.join(', ')}.`,
    }),
  }),
});

const UpdateCenterInput = builder
  .inputType('UpdateCenterInput', {
    description: 'What to change of the current center. What is left out stays.',
    fields: (t) => ({
      name: t.string({ description: 'What it is called.' }),
      description: t.string({ description: 'What it says about itself to everybody.' }),
      logo: t.string({ description: 'The address of its logo; empty for none.' }),
      timezone: t.string({ description: 'The IANA time zone in which its days begin and end.' }),
      country: t.string({
        description:
          'Its country (ISO 3166, two letters), for policies; null takes it away. Only a platform admin moves a center out from under a policy that enforces guards.',
      }),
      region: t.string({ description: 'Its region, for policies; null takes it away. As with the country.' }),
      emailDomains: t.stringList({
        description: 'Whoever signs in with an address of these lands here first.',
      }),
      erasureNeedsTwo: t.boolean({
        description:
          'Whether a second ADMIN must confirm erasures. Switching it off takes two as well: the call of one ADMIN asks for it, the same call of another one does it.',
      }),
      proof: t.field({ type: ProofPageInput, description: 'What its public proof pages show.' }),
    }),
  })
  .validate(updateCenterInput);

const CenterMoveInput = builder.inputType('CenterMoveInput', {
  description: 'A center that the platform suspends, reactivates or ends.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The number of the center.' }) }),
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
        description: 'The settings to change; what is left out stays.',
      }),
    },
    resolve: (_, { input }, ctx) => updateCenter(ctx, input),
  }),
);

const transitions: Record<CenterTransition, string> = {
  suspend: 'Closes a center for a while: nobody gets in until it is reactivated.',
  reactivate: 'Opens a suspended center again.',
  end: 'Ends a center for good: its memberships end with it, its records stay.',
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
