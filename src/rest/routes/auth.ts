import { z } from 'zod';
import { ok } from '../envelope.ts';
import { route } from '../route.ts';
import { actorRole, membership, success } from '../schemas.ts';

const meShape = z
  .object({
    actorId: z.string(),
    email: z.string(),
    name: z.string(),
    role: actorRole.nullable(),
    centerId: z.int().nullable(),
    centerDomain: z.string().nullable(),
    authorizedDomains: z.array(z.string()),
    memberships: z.array(membership),
  })
  .meta({ id: 'Me' });

export const authRoutes = [
  route({
    method: 'GET',
    path: '/auth/me',
    operationId: 'getMe',
    summary: 'The signed-in person with all memberships',
    tag: 'Authentication',
    auth: 'token',
    document: /* GraphQL */ `
      query {
        me {
          actorId email name role centerId centerDomain authorizedDomains
          memberships { id centerId centerName centerDomain role status invitedAt endedAt }
        }
      }`,
    project: ({ me }: { me: z.infer<typeof meShape> }) => ok(me),
    response: success(meShape),
    status: 200,
    errors: ['UNAUTHORIZED', 'TOKEN_EXPIRED'],
  }),
];
