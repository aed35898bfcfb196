import type { Plan as PlanRow } from '../../db/generated/prisma/client.ts';
import type { PlanKind as PlanKindValues } from '../../db/generated/prisma/enums.ts';
import { listPlans } from '../../domain/plans/plans.ts';
import { builder } from '../builder.ts';
import { worded } from '../enum-values.ts';
import { Vertical } from '../enums.ts';

const PlanKind = builder.enumType('PlanKind', {
  description: 'What a plan is for: a center, or its tenant on the learning host.',
  values: worded<keyof typeof PlanKindValues>({
    CENTER: 'For a center on this platform.',
    LMS: "For a center's tenant on the learning host.",
  }),
});

export const Plan = builder.objectRef<PlanRow>('Plan').implement({
  description: 'What can be subscribed to.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the plan, to order it by.' }),
    name: t.exposeString('name', { description: 'What it is called.' }),
    vertical: t.expose('vertical', {
      type: Vertical,
      nullable: true,
      description: 'The line of business it is made for; null suits all.',
    }),
    priceMonthly: t.exposeInt('priceMonthly', {
      description: "The price a month in the currency's smallest unit.",
    }),
    currency: t.exposeString('currency', { description: 'The currency, as ISO 4217 writes it.' }),
    seatLimit: t.exposeInt('seatLimit', { description: 'How many active members it allows.' }),
    features: t.exposeStringList('features', { description: 'What it includes.' }),
  }),
});

builder.queryField('plans', (t) =>
  t.field({
    type: [Plan],
    description: 'What can be subscribed to, cheapest first.',
    authScopes: { access: { public: true } },
    args: { kind: t.arg({ type: PlanKind, required: true, description: 'What the plan is for.' }) },
    resolve: (_, { kind }, ctx) => listPlans(ctx, kind),
  }),
);
