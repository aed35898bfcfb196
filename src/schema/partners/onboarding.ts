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

export const PartnerRole = storedEnum('PartnerRole', 'What a person may do for a partner.', {
  PARTNER_ADMIN: "Manages the partner's centers and settings.",
  PARTNER_OPERATOR: "Manages the partner's centers, but not its settings.",
});

const PartnerAdmin = builder.objectRef<Onboarded>('PartnerAdmin').implement({
  description: 'The invited administrator of a new partner and its first center.',
  fields: (t) => ({
    actorId: t.id({
      nullable: true,
      description: 'The id of the person, a UUID; null until they accept.',
      resolve: () => null,
    }),
    email: t.string({
      description: 'The address that the invitation was mailed to.',
      resolve: ({ admin }) => admin.email,
    }),
    name: t.string({
      description: 'The name of the person; until they accept, the name in the invitation.',
      resolve: ({ admin }) => admin.name,
    }),
    role: t.field({
      type: PartnerRole,
      description: 'What the person may do for the partner once they accept.',
      resolve: () => 'PARTNER_ADMIN' as const,
    }),
    membershipId: t.id({
      description: 'The id of the membership in the first center, `mbr_…`.',
      resolve: ({ membership }) => membership.id,
    }),
    status: t.field({
      type: MembershipStatus,
      description: 'The status of the membership: INVITED until the person answers.',
      resolve: ({ membership }) => membership.status,
    }),
  }),
});

const OnboardedPartner = builder.objectRef<Onboarded>('OnboardedPartner').implement({
  description: 'A partner that was created, with its first center and administrator.',
  fields: (t) => ({
    ...properties(t, {
      partner: [Partner, 'The partner as it was created.'],
    }),
    center: t.field({
      type: Center,
      description: 'The first center of the partner.',
      resolve: async ({ center }, _, ctx) => (await centerViews(ctx.app.db.pool, [center]))[0]!,
    }),
    admin: t.field({
      type: PartnerAdmin,
      description: 'The person who was invited to administer the partner and its first center.',
      resolve: (onboarded) => onboarded,
    }),
  }),
});

const OnboardPartnerInput = inputType('OnboardPartnerInput', onboardPartnerInput, {
  description: 'A new partner with its first center and administrator.',
  types: { vertical: Vertical },
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
