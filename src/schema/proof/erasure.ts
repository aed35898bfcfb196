import type { ErasedMember } from '../../domain/proof/erased.ts';
import { erasablePaths, eraseDecision, eraseDecisionInput, erasedOf } from '../../domain/proof/erasure.ts';
import { loadTogether } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { DecisionEvent } from './decision-event.ts';

const ErasedMemberRef = builder.objectRef<ErasedMember>('ErasedMember').implement({
  description: 'A member of a decision that was deleted. Its digest stays sealed.',
  fields: (t) => ({
    path: t.exposeString('path', { description: 'Which one, such as `action.input` or `approvals.reason`.' }),
    at: t.field({
      type: 'DateTime',
      description: 'When it was deleted.',
      resolve: ({ at }) => new Date(at),
    }),
    reason: t.exposeString('reason', { description: 'Why it was erased, as whoever did it says.' }),
  }),
});

const erasedMembersOf = loadTogether(erasedOf);

builder.objectField(DecisionEvent, 'erased', (t) =>
  t.field({
    type: [ErasedMemberRef],
    description:
      'What was deleted from it and from what was said about it. Texts and lists that were deleted are shown empty.',
    resolve: async ({ id }, _, ctx) => (await erasedMembersOf(ctx, id)) ?? [],
  }),
);

const EraseDecisionInput = builder
  .inputType('EraseDecisionInput', {
    description: 'What to delete from a decision, for good.',
    fields: (t) => ({
      eventId: t.id({ required: true, description: 'The decision event.' }),
      fields: t.stringList({
        description: `The members to delete, all of them when left out: ${erasablePaths.join(', ')}.`,
      }),
      reason: t.string({
        required: true,
        description: 'Why. It is kept, and shown with the proof: do not repeat here what is to be deleted.',
      }),
    }),
  })
  .validate(eraseDecisionInput);

builder.mutationField('eraseDecision', (t) =>
  t.field({
    type: DecisionEvent,
    description:
      'Deletes members of a decision with every copy of them. What was sealed stays proven; a decision that still waits is rejected.',
    authScopes: { access: { roles: ['ADMIN'] } },
    args: {
      input: t.arg({ type: EraseDecisionInput, required: true, description: 'What to delete, and why.' }),
    },
    resolve: (_, { input }, ctx) => eraseDecision(ctx, input),
  }),
);
