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
import { Membership } from './membership.ts';

const members = { roles: everyRole } as const;

const Delegation = builder.objectRef<DelegationView>('Delegation').implement({
  description: 'A member stands in for another: the delegate can fill seats of the delegator’s groups.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id, which approvals name.' }),
    delegator: t.field({
      type: Membership,
      description: 'The member who is absent.',
      resolve: ({ delegator }) => delegator,
    }),
    delegate: t.field({
      type: Membership,
      description: 'The member who stands in.',
      resolve: ({ delegate }) => delegate,
    }),
    from: t.expose('startsAt', { type: 'DateTime', description: 'When it begins.' }),
    until: t.expose('endsAt', { type: 'DateTime', description: 'When it ends by itself.' }),
    reason: t.exposeString('reason', { description: 'Why, in the words of the delegator.' }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was ended before its time.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was given.' }),
  }),
});

const DelegateApprovalsInput = builder
  .inputType('DelegateApprovalsInput', {
    description: 'Who stands in for you, and for how long.',
    fields: (t) => ({
      toMembershipId: t.id({ required: true, description: 'The membership of the delegate.' }),
      from: t.field({ type: 'DateTime', required: true, description: 'When it begins.' }),
      until: t.field({
        type: 'DateTime',
        required: true,
        description: 'When it ends, at most 90 days after it begins.',
      }),
      reason: t.string({ required: true, description: 'Why you are absent.' }),
    }),
  })
  .validate(delegateInput);

builder.queryField('delegations', (t) =>
  t.field({
    type: [Delegation],
    description: 'The delegations that you gave or received, newest first; for an ADMIN all of the center.',
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
    description: 'Lets another member fill the seats of your groups for a while. It cannot be passed on.',
    authScopes: { access: members },
    args: {
      input: t.arg({ type: DelegateApprovalsInput, required: true, description: 'Who stands in for you.' }),
    },
    resolve: (_, { input }, ctx) => delegateApprovals(ctx, input),
  }),
  endDelegation: t.field({
    type: Delegation,
    description: 'Ends a delegation now: your own, or any of the center as an ADMIN.',
    authScopes: { access: members },
    args: { id: t.arg.id({ required: true, description: 'The id of the delegation.' }) },
    resolve: (_, { id }, ctx) => endDelegation(ctx, String(id)),
  }),
}));
