import { listGuardianships, type NamedGuardianship } from '../../domain/memberships/list-guardianships.ts';
import { builder } from '../builder.ts';

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
