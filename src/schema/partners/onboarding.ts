import type { PartnerRole as PartnerRoles } from '../../db/generated/prisma/enums.ts';
import { centerViews } from '../../domain/centers/view.ts';
import { onboardPartner, onboardPartnerInput } from '../../domain/partners/onboard.ts';
import { builder } from '../builder.ts';
import { Center } from '../centers/center.ts';
import { worded } from '../enum-values.ts';
import { MembershipStatus, Vertical } from '../enums.ts';
import { Partner } from './partner.ts';

export { onboardPartnerInput };

type Onboarded = Awaited<ReturnType<typeof onboardPartner>>;

export const PartnerRole = builder.enumType('PartnerRole', {
  description: 'What a person may do for a partner.',
  values: worded<keyof typeof PartnerRoles>({
    PARTNER_ADMIN: "Runs the partner's centers and changes its settings.",
    PARTNER_OPERATOR: "Looks after the partner's centers, without its settings.",
  }),
});

const PartnerAdmin = builder.objectRef<Onboarded>('PartnerAdmin').implement({
  description: 'Who is invited to run a new partner and its first center.',
  fields: (t) => ({
    actorId: t.id({
      nullable: true,
      description: 'Names the person; null until they accept.',
      resolve: () => null,
    }),
    email: t.string({ description: 'The address that was invited.', resolve: ({ admin }) => admin.email }),
    name: t.string({ description: 'What the person was called.', resolve: ({ admin }) => admin.name }),
    role: t.field({
      type: PartnerRole,
      description: 'For the partner, once they accept.',
      resolve: () => 'PARTNER_ADMIN' as const,
    }),
    membershipId: t.id({
      description: 'The membership that they run the first center with.',
      resolve: ({ membership }) => membership.id,
    }),
    status: t.field({
      type: MembershipStatus,
      description: 'Where that membership stands.',
      resolve: ({ membership }) => membership.status,
    }),
  }),
});

const OnboardedPartner = builder.objectRef<Onboarded>('OnboardedPartner').implement({
  description: 'A partner that was just taken on.',
  fields: (t) => ({
    partner: t.field({
      type: Partner,
      description: 'The partner that was taken on.',
      resolve: ({ partner }) => partner,
    }),
    center: t.field({
      type: Center,
      description: 'The first center of the partner.',
      resolve: async ({ center }, _, ctx) => (await centerViews(ctx.app.db.pool, [center]))[0]!,
    }),
    admin: t.field({
      type: PartnerAdmin,
      description: 'Who shall run both.',
      resolve: (onboarded) => onboarded,
    }),
  }),
});

const OnboardPartnerInput = builder
  .inputType('OnboardPartnerInput', {
    description: 'A partner to take on, with its first center and administrator.',
    fields: (t) => ({
      partnerName: t.string({ required: true, description: 'What the partner is called.' }),
      centerName: t.string({ required: true, description: 'What its first center is called.' }),
      subdomain: t.string({ required: true, description: "The center's domain slug." }),
      vertical: t.field({ type: Vertical, required: true, description: "The center's line of business." }),
      planId: t.string({ required: true, description: 'The plan the center begins with.' }),
      adminEmail: t.string({ required: true, description: 'The address of the person who runs both.' }),
      adminName: t.string({ required: true, description: 'Their name, if they are new.' }),
    }),
  })
  .validate(onboardPartnerInput);

builder.mutationField('onboardPartner', (t) =>
  t.field({
    type: OnboardedPartner,
    description: 'Takes a new partner on, with its first center, and invites the person who shall run both.',
    authScopes: { access: { platformAdmin: true } },
    args: {
      input: t.arg({
        type: OnboardPartnerInput,
        required: true,
        description: 'The partner, its first center and who runs both.',
      }),
    },
    resolve: (_, { input }, ctx) => onboardPartner(ctx, input),
  }),
);
