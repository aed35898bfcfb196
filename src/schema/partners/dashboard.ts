import { partnerDashboard } from '../../domain/partners/dashboard.ts';
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
