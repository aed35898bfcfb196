import { actionTypesInput } from '../../domain/centers/action-types.ts';
import { type CenterTransition, moveCenter } from '../../domain/centers/administer.ts';
import { updateCenter, updateCenterInput } from '../../domain/centers/update.ts';
import { builder } from '../builder.ts';
import { idInput, inputArg, inputType, nestedInput } from '../input-types.ts';
import { Center } from './center.ts';

const ProofPageInput = nestedInput('ProofPageInput', updateCenterInput.shape.proof, {
  description: "What the public pages at `/verify/…` show of the center's records.",
});

const ActionTypeMemberInput = nestedInput('ActionTypeMemberInput', actionTypesInput.element.shape.members, {
  description: 'How a member of the input is named for people.',
});

const ActionTypeInput = nestedInput('ActionTypeInput', actionTypesInput, {
  description: 'How decisions of one action type are described to people.',
  types: { members: ActionTypeMemberInput },
});

const UpdateCenterInput = inputType('UpdateCenterInput', updateCenterInput, {
  description: 'Changes to the current center. Omitted members stay unchanged.',
  types: { proof: ProofPageInput, actionTypes: ActionTypeInput },
});

const CenterMoveInput = idInput(
  'CenterMoveInput',
  'A center to suspend, reactivate or close.',
  'The id of the center, a positive integer.',
);

builder.mutationField('updateCenter', (t) =>
  t.field({
    type: Center,
    description: 'Changes the current center.',
    authScopes: { access: { roles: ['ADMIN'] } },
    args: inputArg(UpdateCenterInput, 'The members to change. Omitted members stay unchanged.'),
    resolve: (_, { input }, ctx) => updateCenter(ctx, input),
  }),
);

const transitions: Record<CenterTransition, string> = {
  suspend: 'Suspends a center. No member can enter until it is reactivated.',
  reactivate: 'Reactivates a suspended center. Its members can enter again.',
  end: 'Closes a center permanently and ends its memberships. Its records remain.',
};

for (const [move, description] of Object.entries(transitions) as [CenterTransition, string][]) {
  builder.mutationField(`${move}Center`, (t) =>
    t.field({
      type: Center,
      description,
      authScopes: { access: { platformAdmin: true } },
      args: inputArg(CenterMoveInput, 'The center, whose status must allow the change.'),
      resolve: (_, { input }, ctx) => moveCenter(ctx, input.id, move),
    }),
  );
}
