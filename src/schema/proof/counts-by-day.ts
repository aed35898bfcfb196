import { countDecisionsByDay, type DecisionDay as Day, MOST_DAYS } from '../../domain/proof/counts-by-day.ts';
import { builder } from '../builder.ts';

const DecisionDay = builder.objectRef<Day>('DecisionDay').implement({
  description: "The decisions recorded on one day of the center's calendar, by what has become of them.",
  fields: (t) => ({
    day: t.expose('day', { type: 'Date', description: "The day, in the center's time zone." }),
    recorded: t.exposeInt('recorded', { description: 'Those that still wait.' }),
    approved: t.exposeInt('approved', { description: 'Those that wait for a second approval.' }),
    sealed: t.exposeInt('sealed', { description: 'Those that are sealed.' }),
    rejected: t.exposeInt('rejected', { description: 'Those that were rejected.' }),
  }),
});

builder.queryField('decisionsByDay', (t) =>
  t.field({
    type: [DecisionDay],
    description: `Counts of decisions, day by day in the center's time zone; at most ${MOST_DAYS} days.`,
    authScopes: { access: { roles: ['ADMIN'] } },
    complexity: 20,
    args: {
      from: t.arg({ type: 'Date', required: true, description: 'The first day to count.' }),
      to: t.arg({ type: 'Date', required: true, description: 'The last day to count.' }),
    },
    resolve: (_, days, ctx) => countDecisionsByDay(ctx, days),
  }),
);
