import {
  type ActivityDay as Activity,
  activityByDay,
  daysBack,
  MOST_DAYS,
  MOST_MONTHS,
  monthsBack,
  partnerDashboard,
  type RevenueMonth as Revenue,
  revenueByMonth,
} from '../../domain/partners/dashboard.ts';
import { builder } from '../builder.ts';

type Dashboard = Awaited<ReturnType<typeof partnerDashboard>>;

const PartnerRevenue = builder.objectRef<Dashboard['revenue']>('PartnerRevenue').implement({
  description: "Money in the currency's smallest unit. Months are those of UTC.",
  fields: (t) => ({
    currency: t.exposeString('currency', { description: 'The currency, as ISO 4217 writes it.' }),
    monthToDate: t.exposeFloat('monthToDate', { description: 'Money received since the month began.' }),
    lastMonth: t.exposeFloat('lastMonth', { description: 'Money received in the month before.' }),
    recurringMonthly: t.exposeFloat('recurringMonthly', {
      description: 'What the active subscriptions bring in a month.',
    }),
  }),
});

const PartnerDashboard = builder.objectRef<Dashboard>('PartnerDashboard').implement({
  description: "How a partner's business stands.",
  fields: (t) => ({
    totalCenters: t.exposeInt('totalCenters', { description: 'How many centers the partner has.' }),
    totalMembers: t.exposeInt('totalMembers', { description: 'Active memberships in them.' }),
    activeToday: t.exposeInt('activeToday', {
      description: 'People who used a session in them today, in UTC.',
    }),
    revenue: t.field({
      type: PartnerRevenue,
      description: 'What they bring.',
      resolve: ({ revenue }) => revenue,
    }),
  }),
});

builder.queryField('partnerDashboard', (t) =>
  t.field({
    type: PartnerDashboard,
    description: "How the partner's business stands.",
    authScopes: { access: { partner: 'any' } },
    resolve: (_, __, ctx) => partnerDashboard(ctx),
  }),
);

const RevenueMonth = builder.objectRef<Revenue>('RevenueMonth').implement({
  description: "What a partner's centers brought in one month of UTC.",
  fields: (t) => ({
    month: t.expose('month', { type: 'Date', description: 'The first day of the month.' }),
    amount: t.exposeFloat('amount', { description: "Received, in the currency's smallest unit." }),
    currency: t.exposeString('currency', { description: 'The currency, as ISO 4217 writes it.' }),
  }),
});

const ActivityDay = builder.objectRef<Activity>('ActivityDay').implement({
  description: "The use of a partner's centers on one day of UTC.",
  fields: (t) => ({
    day: t.expose('day', { type: 'Date', description: 'The day, in UTC.' }),
    activePeople: t.exposeInt('activePeople', { description: 'People who used a session in them.' }),
  }),
});

builder.queryFields((t) => ({
  partnerRevenueByMonth: t.field({
    type: [RevenueMonth],
    description: `What the partner's centers brought, oldest month first; at most ${MOST_MONTHS} months.`,
    authScopes: { access: { partner: 'any' } },
    complexity: 20,
    args: {
      months: t.arg.int({
        defaultValue: 12,
        description: 'How many, this one included.',
        validate: monthsBack.nullish(),
      }),
    },
    resolve: (_, { months }, ctx) => revenueByMonth(ctx, months ?? 12),
  }),
  partnerActivityByDay: t.field({
    type: [ActivityDay],
    description: `How many people used the partner's centers, oldest day first; at most ${MOST_DAYS} days.`,
    authScopes: { access: { partner: 'any' } },
    complexity: 20,
    args: {
      days: t.arg.int({
        defaultValue: 30,
        description: 'How many, today included.',
        validate: daysBack.nullish(),
      }),
    },
    resolve: (_, { days }, ctx) => activityByDay(ctx, days ?? 30),
  }),
}));
