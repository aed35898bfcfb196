import {
  type Child,
  type GuardianshipInput,
  listChildren,
  tieGuardian,
  untieGuardian,
  untieGuardianInput,
} from '../../domain/memberships/guardians.ts';
import { builder } from '../builder.ts';
import { MembershipSummary } from '../identity/me.ts';

const ChildRef = builder.objectRef<Child>('Child').implement({
  description: 'A child that the signed-in person is guardian of.',
  fields: (t) => ({
    actorId: t.exposeID('actorId', { description: 'Names the child.' }),
    name: t.exposeString('name', { description: 'What the child is called.' }),
    memberships: t.field({
      type: [MembershipSummary],
      description: "The child's memberships in every center.",
      resolve: ({ memberships }) => memberships,
    }),
  }),
});

const Guardianship = builder.objectRef<GuardianshipInput>('Guardianship').implement({
  description: 'Ties a PARENT to a CHILD for as long as the PARENT is active in the center that tied them.',
  fields: (t) => ({
    guardianId: t.exposeID('guardianId', { description: 'The person id of the parent.' }),
    childId: t.exposeID('childId', { description: 'The person id of the child.' }),
  }),
});

const GuardianshipInputRef = builder
  .inputType('GuardianshipInput', {
    description: 'An active PARENT and an active CHILD of the current center.',
    fields: (t) => ({
      guardianId: t.id({ required: true, description: "The parent's actor id." }),
      childId: t.id({ required: true, description: "The child's actor id." }),
      centerId: t.int({
        description: 'For a platform admin who unties: whose tie; without it those of all centers.',
      }),
    }),
  })
  .validate(untieGuardianInput);

builder.queryField('children', (t) =>
  t.field({
    type: [ChildRef],
    description: 'The children tied to the signed-in person, with their memberships in every center.',
    authScopes: { access: { signedIn: true } },
    resolve: (_, __, ctx) => listChildren(ctx),
  }),
);

builder.mutationFields((t) => ({
  tieGuardian: t.field({
    type: Guardianship,
    description: 'Makes a PARENT guardian of a CHILD; both are active members of the current center.',
    authScopes: { access: { roles: ['ADMIN'] } },
    args: {
      input: t.arg({
        type: GuardianshipInputRef,
        required: true,
        description: 'The parent, and the child it looks after.',
      }),
    },
    resolve: (_, { input: { guardianId, childId } }, ctx) => tieGuardian(ctx, { guardianId, childId }),
  }),
  untieGuardian: t.field({
    type: Guardianship,
    description:
      'Ends a guardianship that the current center has tied. Platform admins end that of any center.',
    authScopes: { access: { roles: ['ADMIN'], platformAdmin: true } },
    args: {
      input: t.arg({
        type: GuardianshipInputRef,
        required: true,
        description: 'The parent, and the child it looks after.',
      }),
    },
    resolve: (_, { input }, ctx) => untieGuardian(ctx, input),
  }),
}));
