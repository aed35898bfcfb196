import { everyRole } from '../../domain/access.ts';
import {
  type DelegationView,
  delegateApprovals,
  delegateInput,
  endDelegation,
  listDelegations,
  listPossibleDelegates,
  type PossibleDelegate,
} from '../../domain/memberships/delegations.ts';
import { builder } from '../builder.ts';
import { onlyProperties, properties } from '../exposed.ts';
import { inputArg, inputType } from '../input-types.ts';
import { listLimit, listOffset, listPage } from '../paging.ts';
import { Membership } from './membership.ts';

const members = { roles: everyRole } as const;

const Delegation = builder.objectRef<DelegationView>('Delegation').implement({
  description: 'A delegation: the delegate can fill seats of the delegator’s groups.',
  fields: (t) => ({
    ...properties(t, {
      id: ['ID', 'The id of the delegation, `dlg_…`, which approvals refer to.'],
      delegator: [Membership, 'The member whose seats can be filled.'],
      delegate: [Membership, 'The member who can fill them.'],
      reason: ['String', 'Why the approvals are delegated.'],
      endedAt: ['DateTime?', 'When it was ended early, in UTC; null if it was not.'],
      createdAt: ['DateTime', 'When the delegation was created, in UTC.'],
    }),
    from: t.expose('startsAt', { type: 'DateTime', description: 'When the delegation begins, in UTC.' }),
    until: t.expose('endsAt', {
      type: 'DateTime',
      description: 'When the delegation ends by itself, in UTC.',
    }),
  }),
});

const DelegateApprovalsInput = inputType('DelegateApprovalsInput', delegateInput, {
  description: 'A delegate and the period of the delegation.',
  types: { toMembershipId: 'ID' },
});

const MOST_SHOWN = 200;

builder.queryField('delegations', (t) =>
  t.field({
    type: [Delegation],
    description: 'Your delegations, newest first. An ADMIN sees all of the center.',
    extensions: { fromReplica: true },
    authScopes: { access: members },
    args: {
      open: t.arg.boolean({
        description: 'Only those in force or planned, or only those that are over. Default: both.',
      }),
      own: t.arg.boolean({ description: 'For an ADMIN: only those that you gave or received.' }),
      delegatorId: t.arg.id({ description: 'Only those of this delegator, by membership id.' }),
      limit: t.arg.int(listLimit(MOST_SHOWN)),
      offset: t.arg.int(listOffset),
    },
    resolve: (_, { open = null, own, delegatorId = null, ...page }, ctx) =>
      listDelegations(ctx, { open, own: own === true, delegatorId }, listPage(page, MOST_SHOWN)),
  }),
);

const PossibleDelegateRef = builder.objectRef<PossibleDelegate>('PossibleDelegate').implement({
  description: 'A colleague whom you can name as a delegate.',
  fields: onlyProperties({
    membershipId: ['ID', 'The id of the membership to delegate to, `mbr_…`.'],
    name: ['String', 'The name of the person, as in their profile.'],
  }),
});

builder.queryField('possibleDelegates', (t) =>
  t.field({
    type: [PossibleDelegateRef],
    description:
      'Colleagues who could stand in for you: administrators, and members of your approval groups.',
    authScopes: { access: members },
    args: { limit: t.arg.int(listLimit(MOST_SHOWN)), offset: t.arg.int(listOffset) },
    resolve: (_, page, ctx) => listPossibleDelegates(ctx, listPage(page, MOST_SHOWN)),
  }),
);

builder.mutationFields((t) => ({
  delegateApprovals: t.field({
    type: Delegation,
    description:
      'Delegates the seats of your groups to another member for a limited time. Delegations cannot be passed on.',
    authScopes: { access: members },
    args: inputArg(DelegateApprovalsInput, 'The delegate and the period.'),
    resolve: (_, { input }, ctx) => delegateApprovals(ctx, input),
  }),
  endDelegation: t.field({
    type: Delegation,
    description: 'Ends one of your delegations, or as an ADMIN any delegation of the center.',
    authScopes: { access: members },
    args: { id: t.arg.id({ required: true, description: 'The id of the delegation, `dlg_…`.' }) },
    resolve: (_, { id }, ctx) => endDelegation(ctx, String(id)),
  }),
}));
