import { ERASABLE_PATHS } from '@countersign/proof-kit/decision';
import { z } from 'zod';
import { confirmErasure, eraseDecision, eraseDecisionInput } from '../../domain/decisions/erase/erasure.ts';
import { type ErasedMember, erasedOf } from '../../domain/decisions/erased.ts';
import { type PendingErasure, pendingErasures } from '../../domain/dpus/pending-erasure.ts';
import { makeLoader } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { onlyProperties } from '../exposed.ts';
import { inputArg, inputType } from '../input-types.ts';
import { DecisionEvent } from './decision-event.ts';

const ErasedMemberRef = builder.objectRef<ErasedMember>('ErasedMember').implement({
  description: 'An erased member of a decision. Its digest remains sealed.',
  fields: (t) => ({
    path: t.exposeString('path', { description: 'The path, such as `action.input` or `approvals.reason`.' }),
    at: t.field({
      type: 'DateTime',
      description: 'When the member was erased, in UTC.',
      resolve: ({ at }) => new Date(at),
    }),
    reason: t.exposeString('reason', { description: 'The reason given for the erasure.' }),
  }),
});

const erasedMembersOf = makeLoader(erasedOf);

builder.objectField(DecisionEvent, 'erased', (t) =>
  t.field({
    type: [ErasedMemberRef],
    description: 'Members erased from the decision and its approvals. Erased texts and lists are empty.',
    resolve: async ({ id }, _, ctx) => (await erasedMembersOf(ctx, id)) ?? [],
  }),
);

const EraseDecisionInput = inputType('EraseDecisionInput', eraseDecisionInput, {
  description: 'Members of a decision to erase permanently.',
  types: { eventId: 'ID' },
  descriptions: {
    eventId: 'The id of the decision event, `evt_…`.',
    fields: `The members to delete, all of them when left out: ${ERASABLE_PATHS.join(', ')}.`,
    reason:
      'Why, 1 to 1,000 characters. It is stored and shown with the proof, so do not include erased data.',
  },
});

builder.mutationField('eraseDecision', (t) =>
  t.field({
    type: DecisionEvent,
    description:
      'Erases members of a decision with all copies. Sealed decisions remain provable; a pending decision is rejected.',
    authScopes: { access: { roles: ['ADMIN'] } },
    args: inputArg(EraseDecisionInput, 'The members to erase and the reason.'),
    resolve: (_, { input }, ctx) => eraseDecision(ctx, input),
  }),
);

const PendingErasureRef = builder.objectRef<PendingErasure>('PendingErasure').implement({
  description: 'An erasure that waits for a second ADMIN.',
  fields: onlyProperties({
    fields: ['[String]?', 'The members to delete; null for all of them.'],
    reason: ['String', 'Why the first ADMIN wants the erasure.'],
    requestedBy: ['ID', 'The id of the ADMIN who requested it, a UUID.'],
    requestedAt: ['DateTime', 'When the first ADMIN requested it, in UTC.'],
  }),
});

const pendingErasureOf = makeLoader(pendingErasures);

builder.objectField(DecisionEvent, 'pendingErasure', (t) =>
  t.field({
    type: PendingErasureRef,
    nullable: true,
    description: 'The erasure that waits for a second ADMIN; null without one.',
    resolve: async ({ id }, _, ctx) => (await pendingErasureOf(ctx, id)) ?? null,
  }),
);

const ConfirmErasureInput = inputType(
  'ConfirmErasureInput',
  z.object({ eventId: z.string().describe('The id of the decision event, `evt_…`.') }),
  {
    description: 'The erasure that another ADMIN requested.',
    types: { eventId: 'ID' },
  },
);

builder.mutationField('confirmErasure', (t) =>
  t.field({
    type: DecisionEvent,
    description:
      'Carries out an erasure that another ADMIN requested. The one who requested it cannot confirm it.',
    authScopes: { access: { roles: ['ADMIN'] } },
    args: inputArg(
      ConfirmErasureInput,
      'The decision event, whose erasure another ADMIN must have requested.',
    ),
    resolve: (_, { input }, ctx) => confirmErasure(ctx, input.eventId),
  }),
);
