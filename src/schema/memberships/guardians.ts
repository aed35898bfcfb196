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
import { onlyProperties } from '../exposed.ts';
import { inputArg, inputType } from '../input-types.ts';
import { listLimit, listOffset, listPage } from '../paging.ts';
import { MembershipSummary } from './summary.ts';

const ChildRef = builder.objectRef<Child>('Child').implement({
  description: 'A child of the signed-in guardian.',
  fields: onlyProperties({
    actorId: ['ID', 'The id of the person, a UUID.'],
    name: ['String', 'The name of the person, as in their profile.'],
    memberships: [[MembershipSummary], "The child's memberships in every center."],
  }),
});

const Guardianship = builder.objectRef<GuardianshipInput>('Guardianship').implement({
  description:
    'A guardianship of a PARENT for a CHILD. It lasts while the PARENT is active in the center that created it.',
  fields: onlyProperties({
    guardianId: ['ID', 'The id of the PARENT, a UUID.'],
    childId: ['ID', 'The id of the CHILD, a UUID.'],
  }),
});

const GuardianshipInputRef = inputType('GuardianshipInput', untieGuardianInput, {
  description: 'An active PARENT and an active CHILD of the current center.',
});

const EndGuardianshipInput = inputType('EndGuardianshipInput', guardianshipInput, {
  description: 'The PARENT and the CHILD whose guardianship ends.',
});

const GuardianRef = builder.objectRef<OwnGuardian>('Guardian').implement({
  description: 'A guardian of the signed-in person.',
  fields: onlyProperties({
    guardianId: ['ID', 'The id of the PARENT, a UUID.'],
    guardianName: ['String', 'The name of the PARENT, as in their profile.'],
    centerName: ['String', 'The name of the center that created the guardianship.'],
    since: ['DateTime', 'When the guardianship was created, in UTC.'],
  }),
});

builder.queryField('guardians', (t) =>
  t.field({
    type: [GuardianRef],
    description: 'The guardians of the signed-in person, in all centers.',
    authScopes: { access: { signedIn: true } },
    resolve: (_, __, ctx) => listGuardians(ctx),
  }),
);

builder.queryField('children', (t) =>
  t.field({
    type: [ChildRef],
    description: 'The children of the signed-in guardian, with their memberships in all centers.',
    authScopes: { access: { signedIn: true } },
    resolve: (_, __, ctx) => listChildren(ctx),
  }),
);

builder.mutationFields((t) => ({
  tieGuardian: t.field({
    type: Guardianship,
    description: 'Makes a PARENT the guardian of a CHILD. Both must be active members of the current center.',
    authScopes: { access: { roles: ['ADMIN'] } },
    args: inputArg(GuardianshipInputRef, 'Who becomes the guardian of whom.'),
    resolve: (_, { input: { guardianId, childId } }, ctx) => tieGuardian(ctx, { guardianId, childId }),
  }),
  endGuardianship: t.field({
    type: Guardianship,
    description:
      'Ends a guardianship wherever it was tied. For the person under it, and for an ADMIN of a center in which that ' +
      'person is an active member.',
    authScopes: { access: { signedIn: true } },
    args: inputArg(EndGuardianshipInput, 'The PARENT and the CHILD whose guardianship ends.'),
    resolve: (_, { input }, ctx) => endGuardianship(ctx, input),
  }),
  untieGuardian: t.field({
    type: Guardianship,
    description:
      'Ends a guardianship created by the current center. Platform admins can end those of any center.',
    authScopes: { access: { roles: ['ADMIN'], platformAdmin: true } },
    args: inputArg(GuardianshipInputRef, 'The PARENT and the CHILD whose guardianship ends.'),
    resolve: (_, { input }, ctx) => untieGuardian(ctx, input),
  }),
}));

const CenterGuardianship = builder.objectRef<NamedGuardianship>('CenterGuardianship').implement({
  description: 'A guardianship between a PARENT and a CHILD of the center.',
  fields: onlyProperties({
    guardianId: ['ID', 'The id of the PARENT, a UUID.'],
    guardianName: ['String', 'The name of the PARENT, as in their profile.'],
    childId: ['ID', 'The id of the CHILD, a UUID.'],
    childName: ['String', 'The name of the CHILD, as in their profile.'],
    since: ['DateTime', 'When the guardianship was created, in UTC.'],
  }),
});

const MOST_SHOWN = 500;

builder.queryField('guardianships', (t) =>
  t.field({
    type: [CenterGuardianship],
    description: 'The guardianships of the center by name of the child.',
    extensions: { fromReplica: true },
    authScopes: { access: { roles: ['ADMIN'] } },
    complexity: 20,
    args: { limit: t.arg.int(listLimit(MOST_SHOWN)), offset: t.arg.int(listOffset) },
    resolve: (_, page, ctx) => listGuardianships(ctx, listPage(page, MOST_SHOWN)),
  }),
);
