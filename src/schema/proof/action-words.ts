import type { ActionTypeWords } from '@countersign/proof-kit/decision-card';
import { actionWordsOf } from '../../domain/centers/action-types.ts';
import { makeLoader } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { onlyProperties, properties } from '../exposed.ts';
import { DecisionAction } from './decision-event.ts';

const ActionTypeMember = builder.objectRef<ActionTypeWords['members'][number]>('ActionTypeMember').implement({
  description: 'How a center names a member of the input of an action.',
  fields: onlyProperties({
    path: ['String', 'The path in `action.input`, with dots between names. Entries of lists share one path.'],
    label: ['String', 'The name that people see beside the path.'],
    unit: ['String?', 'The unit of the value, such as `EUR`; null if there is none.'],
  }),
});

const ActionTypeWordsRef = builder.objectRef<ActionTypeWords>('ActionTypeWords').implement({
  description: 'How a center describes decisions of an action type to people.',
  fields: (t) =>
    properties(t, {
      type: ['String', 'The action type, such as `refund.grant`.'],
      label: ['String', 'The action in words, such as `Refund`.'],
      members: [[ActionTypeMember], 'The members of the input that have a name; may be empty.'],
    }),
});

const actionWordsOfOne = makeLoader(actionWordsOf);

builder.objectField(DecisionAction, 'words', (t) =>
  t.field({
    type: ActionTypeWordsRef,
    nullable: true,
    description:
      'How the center describes actions of this type (`actionTypes` of its settings); null if it does not.',
    resolve: async ({ head }, _, ctx) => (await actionWordsOfOne(ctx, head.action.type)) ?? null,
  }),
);
