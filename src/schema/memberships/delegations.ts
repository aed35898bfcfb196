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
import { inputType } from '../input-types.ts';
import { Membership } from './membership.ts';

const members = { roles: everyRole } as const;

const Delegation = builder.objectRef<DelegationView>('Delegation').implement({
  description: 'A delegation: the delegate can fill seats of the delegator’s groups.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id, referenced by approvals.' }),
    delegator: t.field({
      type: Membership,
      description: 'The delegator.',
      resolve: ({ delegator }) => delegator,
    }),
    delegate: t.field({
      type: Membership,
      description: 'The delegate.',
      resolve: ({ delegate }) => delegate,
    }),
    from: t.expose('startsAt', { type: 'DateTime', description: 'When it starts.' }),
    until: t.expose('endsAt', { type: 'DateTime', description: 'When it expires.' }),
    reason: t.exposeString('reason', { description: 'The reason given by the delegator.' }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was ended early, or null.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
  }),
});

const DelegateApprovalsInput = inputType('DelegateApprovalsInput', delegateInput, {
  description: 'A delegate and the period of the delegation.',
  types: { toMembershipId: 'ID' },
});

builder.queryField('delegations', (t) =>
  t.field({
    type: [Delegation],
    description: 'Your delegations, newest first. An ADMIN sees all of the center.',
    extensions: { fromReplica: true },
    authScopes: { access: members },
    resolve: (_, __, ctx) => listDelegations(ctx),
  }),
);

const PossibleDelegateRef = builder.objectRef<PossibleDelegate>('PossibleDelegate').implement({
  description: 'A colleague whom you can name as a delegate.',
  fields: (t) => ({
    membershipId: t.exposeID('membershipId', { description: 'What a delegation names.' }),
    name: t.exposeString('name', { description: 'The name of the person.' }),
  }),
});

builder.queryField('possibleDelegates', (t) =>
  t.field({
    type: [PossibleDelegateRef],
    description:
      'Colleagues who could stand in for you: administrators, and members of your approval groups.',
    authScopes: { access: members },
    resolve: (_, __, ctx) => listPossibleDelegates(ctx),
  }),
);

builder.mutationFields((t) => ({
  delegateApprovals: t.field({
    type: Delegation,
    description:
      'Delegates the seats of your groups to another member for a limited time. Delegations cannot be passed on.',
    authScopes: { access: members },
    args: {
      input: t.arg({
        type: DelegateApprovalsInput,
        required: true,
        description: 'The delegate and the period.',
      }),
    },
    resolve: (_, { input }, ctx) => delegateApprovals(ctx, input),
  }),
  endDelegation: t.field({
    type: Delegation,
    description: 'Ends one of your delegations, or as an ADMIN any delegation of the center.',
    authScopes: { access: members },
    args: { id: t.arg.id({ required: true, description: 'The id of the delegation.' }) },
    resolve: (_, { id }, ctx) => endDelegation(ctx, String(id)),
  }),
}));
