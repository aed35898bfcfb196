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
import { onlyProperties } from '../exposed.ts';

type Dashboard = Awaited<ReturnType<typeof partnerDashboard>>;

const PartnerRevenue = builder.objectRef<Dashboard['revenue']>('PartnerRevenue').implement({
  description: 'Revenue in the smallest currency unit. Months are in UTC.',
  fields: onlyProperties({
    currency: ['String', 'The currency (ISO 4217) of all amounts.'],
    monthToDate: [
      'Float',
      'Payments confirmed since the first of this month, in the smallest currency unit.',
    ],
    lastMonth: ['Float', 'Payments confirmed in the previous month, in the smallest currency unit.'],
    recurringMonthly: [
      'Float',
      'The monthly prices of all paying subscriptions together, in the smallest currency unit.',
    ],
  }),
});

const PartnerDashboard = builder.objectRef<Dashboard>('PartnerDashboard').implement({
  description: "A partner's numbers of centers, members and active people, and its revenue.",
  fields: onlyProperties({
    totalCenters: ['Int', 'The number of centers, including closed ones.'],
    totalMembers: ['Int', 'The number of memberships with the status ACTIVE in its centers.'],
    activeToday: ['Int', 'People with an active session today (UTC).'],
    revenue: [PartnerRevenue, 'What its centers paid.'],
  }),
});

builder.queryField('partnerDashboard', (t) =>
  t.field({
    type: PartnerDashboard,
    description: "The state of the partner's business.",
    extensions: { fromReplica: true },
    authScopes: { access: { partner: 'any' } },
    resolve: (_, __, ctx) => partnerDashboard(ctx),
  }),
);

const RevenueMonth = builder.objectRef<Revenue>('RevenueMonth').implement({
  description: "Revenue of a partner's centers in one UTC month.",
  fields: onlyProperties({
    month: ['Date', 'The first day of the month, in UTC.'],
    amount: ['Float', 'The payments confirmed in the month, in the smallest currency unit.'],
    currency: ['String', 'The currency (ISO 4217) of the amount.'],
  }),
});

const ActivityDay = builder.objectRef<Activity>('ActivityDay').implement({
  description: "Usage of a partner's centers on one UTC day.",
  fields: onlyProperties({
    day: ['Date', 'The date, in UTC.'],
    activePeople: ['Int', 'The number of people who used a session on this day.'],
  }),
});

builder.queryFields((t) => ({
  partnerRevenueByMonth: t.field({
    type: [RevenueMonth],
    description: `What the partner's centers paid, oldest month first; at most ${MOST_MONTHS} months.`,
    extensions: { fromReplica: true },
    authScopes: { access: { partner: 'any' } },
    complexity: 20,
    args: {
      months: t.arg.int({
        defaultValue: 12,
        description: 'The number of months, including the current one.',
        validate: monthsBack.nullish(),
      }),
    },
    resolve: (_, { months }, ctx) => revenueByMonth(ctx, months ?? 12),
  }),
  partnerActivityByDay: t.field({
    type: [ActivityDay],
    description: `How many people used the partner's centers, oldest day first; at most ${MOST_DAYS} days.`,
    extensions: { fromReplica: true },
    authScopes: { access: { partner: 'any' } },
    complexity: 20,
    args: {
      days: t.arg.int({
        defaultValue: 30,
        description: 'The number of days, including today.',
        validate: daysBack.nullish(),
      }),
    },
    resolve: (_, { days }, ctx) => activityByDay(ctx, days ?? 30),
  }),
}));
