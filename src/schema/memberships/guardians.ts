import {
  type Child,
  endGuardianship,
  type GuardianshipInput,
  guardianshipInput,
  listChildren,
  listGuardians,
  listGuardianships,
  type NamedGuardianship,
  type OwnGuardian,
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

const EndGuardianshipInput = builder
  .inputType('EndGuardianshipInput', {
    description: 'A guardian and the person under it.',
    fields: (t) => ({
      guardianId: t.id({ required: true, description: "The guardian's actor id." }),
      childId: t.id({ required: true, description: "The child's actor id." }),
    }),
  })
  .validate(guardianshipInput);

const GuardianRef = builder.objectRef<OwnGuardian>('Guardian').implement({
  description: 'A guardian of the signed-in person.',
  fields: (t) => ({
    guardianId: t.exposeID('guardianId', { description: 'Names the guardian.' }),
    guardianName: t.exposeString('guardianName', { description: 'What the guardian is called.' }),
    centerName: t.exposeString('centerName', { description: 'The center that tied them.' }),
    since: t.expose('since', { type: 'DateTime', description: 'When they were tied.' }),
  }),
});

builder.queryField('guardians', (t) =>
  t.field({
    type: [GuardianRef],
    description: 'The guardians of the signed-in person, by whichever center tied them.',
    authScopes: { access: { signedIn: true } },
    resolve: (_, __, ctx) => listGuardians(ctx),
  }),
);

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
  endGuardianship: t.field({
    type: Guardianship,
    description:
      'Ends a guardianship wherever it was tied. For the person under it, and for an ADMIN of a center in which that ' +
      'person is an active member.',
    authScopes: { access: { signedIn: true } },
    args: {
      input: t.arg({
        type: EndGuardianshipInput,
        required: true,
        description: 'The guardian, and the person under it.',
      }),
    },
    resolve: (_, { input }, ctx) => endGuardianship(ctx, input),
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

const CenterGuardianship = builder.objectRef<NamedGuardianship>('CenterGuardianship').implement({
  description: 'A PARENT and the CHILD it looks after, as the center has tied them.',
  fields: (t) => ({
    guardianId: t.exposeID('guardianId', { description: 'The person id of the parent.' }),
    guardianName: t.exposeString('guardianName', { description: 'What the parent is called.' }),
    childId: t.exposeID('childId', { description: 'The person id of the child.' }),
    childName: t.exposeString('childName', { description: 'What the child is called.' }),
    since: t.expose('since', { type: 'DateTime', description: 'When they were tied.' }),
  }),
});

builder.queryField('guardianships', (t) =>
  t.field({
    type: [CenterGuardianship],
    description: 'Who looks after whom in the center, by the name of the child; 500 at most.',
    authScopes: { access: { roles: ['ADMIN'] } },
    complexity: 20,
    resolve: (_, __, ctx) => listGuardianships(ctx),
  }),
);
