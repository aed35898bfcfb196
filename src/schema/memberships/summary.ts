import type { MembershipView } from '../../domain/identity/me.ts';
import { builder } from '../builder.ts';
import { centerVertical } from '../centers/vertical.ts';
import { ActorRole, MembershipStatus } from '../enums.ts';
import { approverOf, MembershipApprover } from './approver.ts';

export const MembershipSummary = builder.objectRef<MembershipView>('MembershipSummary').implement({
  description: 'A membership of the signed-in person.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the membership.' }),
    centerId: t.exposeInt('centerId', { description: 'The id of the center.' }),
    centerName: t.exposeString('centerName', { description: 'The name of the center.' }),
    centerDomain: t.exposeString('centerDomain', { description: "The center's domain slug." }),
    centerVertical: t.field(centerVertical),
    role: t.expose('role', { type: ActorRole, description: 'The role.' }),
    status: t.expose('status', { type: MembershipStatus, description: 'The status of the membership.' }),
    invitedAt: t.expose('invitedAt', {
      type: 'DateTime',
      description: 'When the person was invited or added.',
    }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended, or null.',
    }),
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
