import { listGuardianships, type NamedGuardianship } from '../../domain/memberships/list-guardianships.ts';
import { builder } from '../builder.ts';

const CenterGuardianship = builder.objectRef<NamedGuardianship>('CenterGuardianship').implement({
  description: 'A PARENT and the CHILD it looks after, as the center has tied them.',
  fields: (t) => ({
    guardianId: t.exposeID('guardianId', { description: 'The parent.' }),
    guardianName: t.exposeString('guardianName', { description: "The parent's name." }),
    childId: t.exposeID('childId', { description: 'The child.' }),
    childName: t.exposeString('childName', { description: "The child's name." }),
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
