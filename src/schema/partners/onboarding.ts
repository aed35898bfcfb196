import type { PartnerRole as PartnerRoles } from '../../db/generated/prisma/enums.ts';
import { centerViews } from '../../domain/centers/view.ts';
import { onboardPartner, onboardPartnerInput } from '../../domain/partners/onboard.ts';
import { builder } from '../builder.ts';
import { Center } from '../centers/center.ts';
import { describedValues } from '../enum-values.ts';
import { MembershipStatus, Vertical } from '../enums.ts';
import { inputType } from '../input-types.ts';
import { Partner } from './partner.ts';

type Onboarded = Awaited<ReturnType<typeof onboardPartner>>;

export const PartnerRole = builder.enumType('PartnerRole', {
  description: 'The role of a person for a partner.',
  values: describedValues<keyof typeof PartnerRoles>({
    PARTNER_ADMIN: "Manages the partner's centers and settings.",
    PARTNER_OPERATOR: "Manages the partner's centers, but not its settings.",
  }),
});

const PartnerAdmin = builder.objectRef<Onboarded>('PartnerAdmin').implement({
  description: 'The invited administrator of a new partner and its first center.',
  fields: (t) => ({
    actorId: t.id({
      nullable: true,
      description: 'The id of the person; null until they accept.',
      resolve: () => null,
    }),
    email: t.string({ description: 'The invited email address.', resolve: ({ admin }) => admin.email }),
    name: t.string({ description: 'The name of the person.', resolve: ({ admin }) => admin.name }),
    role: t.field({
      type: PartnerRole,
      description: 'The role for the partner, once accepted.',
      resolve: () => 'PARTNER_ADMIN' as const,
    }),
    membershipId: t.id({
      description: 'The membership in the first center.',
      resolve: ({ membership }) => membership.id,
    }),
    status: t.field({
      type: MembershipStatus,
      description: 'The status of the membership.',
      resolve: ({ membership }) => membership.status,
    }),
  }),
});

const OnboardedPartner = builder.objectRef<Onboarded>('OnboardedPartner').implement({
  description: 'A new partner.',
  fields: (t) => ({
    partner: t.field({
      type: Partner,
      description: 'The partner.',
      resolve: ({ partner }) => partner,
    }),
    center: t.field({
      type: Center,
      description: 'The first center of the partner.',
      resolve: async ({ center }, _, ctx) => (await centerViews(ctx.app.db.pool, [center]))[0]!,
    }),
    admin: t.field({
      type: PartnerAdmin,
      description: 'The administrator.',
      resolve: (onboarded) => onboarded,
    }),
  }),
});

const OnboardPartnerInput = inputType('OnboardPartnerInput', onboardPartnerInput, {
  description: 'A new partner with its first center and administrator.',
  types: { vertical: Vertical },
  descriptions: {
    subdomain: "The center's domain slug.",
    vertical: 'The vertical of the center.',
    adminName: 'The name of a new person.',
  },
});

builder.mutationField('onboardPartner', (t) =>
  t.field({
    type: OnboardedPartner,
    description: 'Creates a partner with its first center and invites the administrator of both.',
    authScopes: { access: { platformAdmin: true } },
    args: {
      input: t.arg({
        type: OnboardPartnerInput,
        required: true,
        description: 'The partner, its first center and their administrator.',
      }),
    },
    resolve: (_, { input }, ctx) => onboardPartner(ctx, input),
  }),
);
