import type { SealedMandate } from '@countersign/proof-kit/decision';
import { sealedRulesOf } from '../../domain/decisions/read/sealed-rules.ts';
import { makeLoader } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { onlyProperties } from '../exposed.ts';
import { GuardResult } from '../policies/judgement.ts';
import { DecisionEvent, outlookOf } from './decision-event.ts';

const rulesOf = makeLoader(sealedRulesOf);

const DecisionMandate = builder.objectRef<SealedMandate>('DecisionMandate').implement({
  description: 'The use of a mandate that approved a decision.',
  fields: onlyProperties({
    id: ['ID', 'The id of the mandate, `mnd_…`.'],
    use: ['Int', 'The number of this use, from 1.'],
    spent: ['Float?', 'What the mandate had spent after this use; null without a budget.'],
  }),
});

builder.objectFields(DecisionEvent, (t) => ({
  guards: t.field({
    type: [GuardResult],
    complexity: 5,
    description:
      'What each guard said when the decision was sealed, or says now while it waits. Empty for rejected decisions.',
    resolve: async (event, _, ctx) => {
      if (event.status === 'sealed') return (await rulesOf(ctx, event.id))?.guards ?? [];
      return event.status === 'rejected' ? [] : ((await outlookOf(ctx, event))?.policy.guards ?? []);
    },
  }),
  mandateUse: t.field({
    type: DecisionMandate,
    nullable: true,
    description: 'The mandate that approved the decision, and its usage; null without one.',
    resolve: async ({ id, status }, _, ctx) =>
      status === 'sealed' ? ((await rulesOf(ctx, id))?.mandate ?? null) : null,
  }),
}));
