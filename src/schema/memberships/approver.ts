import {
  type Approver,
  approversOf,
  countStranded,
  listStranded,
} from '../../domain/memberships/approvers.ts';
import { makeLoader } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { connectionById } from '../connections.ts';
import { enumType } from '../enum-types.ts';
import { onlyProperties } from '../exposed.ts';
import { counted } from '../paging.ts';
import { Membership } from './membership.ts';

const ApproverKind = enumType<Approver['kind']>('ApproverKind', 'Who approves the members of a center.', {
  CENTER: 'An administrator of the center.',
  PARTNER: 'An account of the partner that owns the center, because the center has no administrator yet.',
  PLATFORM: 'The operator of the service, because neither the center nor a partner has anybody who can.',
});

export const MembershipApprover = builder.objectRef<Approver>('MembershipApprover').implement({
  description: 'Who approves a membership that was accepted.',
  fields: onlyProperties({
    kind: [ApproverKind, 'Which kind of administrator approves.'],
    name: ['String', 'The name of the center or the partner; the host of the service for its operator.'],
  }),
});

/** The approver of one center among many. */
export const approverOf = makeLoader((ctx, centerIds: number[]) => approversOf(ctx, centerIds));

builder.queryField('strandedMembers', (t) =>
  t.connection(
    {
      type: Membership,
      description:
        'Members who wait for approval in centers without an active administrator, newest first. Approve them with approveMembership.',
      extensions: { fromReplica: true },
      authScopes: { access: { platformAdmin: true } },
      resolve: async (_, args, ctx) => ({
        ...(await connectionById('mbr', args, (window) => listStranded(ctx, window))),
        totalCount: () => countStranded(ctx),
      }),
    },
    counted(),
  ),
);
