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
      id: ['ID', 'The id of the membership, `mbr_…`.'],
      centerId: ['Int', 'The id of the center, a positive integer.'],
      centerName: ['String', 'The name of the center that people see.'],
      centerDomain: ['String', 'The domain slug of the center.'],
      role: [ActorRole, 'What the person may do in the center.'],
      status: [MembershipStatus, 'The status of the membership; only ACTIVE gives access.'],
      invitedAt: ['DateTime', 'When the person was invited or added, in UTC.'],
      endedAt: ['DateTime?', 'When the membership ended, in UTC; null if it has not.'],
    }),
    centerVertical: t.field(centerVertical),
    approver: t.field({
      type: MembershipApprover,
      nullable: true,
      description: 'Who approves it; null unless it is INVITED or PENDING.',
      complexity: 5,
      resolve: async ({ status, centerId }, _, ctx) =>
        status === 'INVITED' || status === 'PENDING' ? ((await approverOf(ctx, centerId)) ?? null) : null,
    }),
  }),
});
