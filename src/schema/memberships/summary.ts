import type { MembershipView } from '../../domain/identity/me.ts';
import { builder } from '../builder.ts';
import { centerVertical } from '../centers/vertical.ts';
import { ActorRole, MembershipStatus } from '../enums.ts';
import { properties } from '../exposed.ts';
import { approverOf, MembershipApprover } from './approver.ts';

export const MembershipSummary = builder.objectRef<MembershipView>('MembershipSummary').implement({
  description: 'A membership of the signed-in person.',
  fields: (t) => ({
    ...properties(t, {
      id: ['ID', 'The id of the membership.'],
      centerId: ['Int', 'The id of the center.'],
      centerName: ['String', 'The name of the center.'],
      centerDomain: ['String', "The center's domain slug."],
      role: [ActorRole, 'The role.'],
      status: [MembershipStatus, 'The status of the membership.'],
      invitedAt: ['DateTime', 'When the person was invited or added.'],
      endedAt: ['DateTime?', 'When it ended, or null.'],
    }),
    centerVertical: t.field(centerVertical),
    approver: t.field({
      type: MembershipApprover,
      nullable: true,
      description: 'Who approves it, while it is INVITED or PENDING.',
      complexity: 5,
      resolve: async ({ status, centerId }, _, ctx) =>
        status === 'INVITED' || status === 'PENDING' ? ((await approverOf(ctx, centerId)) ?? null) : null,
    }),
  }),
});
