import { centerViews } from '../../domain/centers/view.ts';
import { onboardPartner, onboardPartnerInput } from '../../domain/partners/onboard.ts';
import { builder } from '../builder.ts';
import { Center } from '../centers/center.ts';
import { storedEnum } from '../enum-types.ts';
import { MembershipStatus, Vertical } from '../enums.ts';
import { properties } from '../exposed.ts';
import { inputArg, inputType } from '../input-types.ts';
import { Partner } from './partner.ts';

type Onboarded = Awaited<ReturnType<typeof onboardPartner>>;

export const PartnerRole = storedEnum('PartnerRole', 'The role of a person for a partner.', {
  PARTNER_ADMIN: "Manages the partner's centers and settings.",
  PARTNER_OPERATOR: "Manages the partner's centers, but not its settings.",
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
    ...properties(t, {
      partner: [Partner, 'The partner.'],
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
    args: inputArg(OnboardPartnerInput, 'The partner, its first center and their administrator.'),
    resolve: (_, { input }, ctx) => onboardPartner(ctx, input),
  }),
);
