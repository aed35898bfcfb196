import { accessibleCenters, readCenter } from '../../domain/centers/accessible-centers.ts';
import { publicInfo } from '../../domain/centers/info.ts';
import { listInstructors } from '../../domain/centers/instructors.ts';
import { DomainError } from '../../lib/errors.ts';
import { builder } from '../builder.ts';
import { Center, CenterInfo, Instructor } from './center.ts';

builder.queryFields((t) => ({
  centers: t.field({
    type: [Center],
    description: 'The centers that the signed-in person may enter, by name.',
    authScopes: { access: { signedIn: true } },
    resolve: (_, __, ctx) => accessibleCenters(ctx),
  }),
  center: t.field({
    type: Center,
    description: 'A center that the signed-in person may enter, by its id or its domain.',
    authScopes: { access: { signedIn: true } },
    args: {
      id: t.arg.id({ description: 'The number of the center; or give its domain.' }),
      domain: t.arg.string({ description: 'The slug that names the center in addresses.' }),
    },
    resolve: (_, { id, domain }, ctx) => {
      if (id != null && domain == null) return readCenter(ctx, { id: String(id) });
      if (domain != null && id == null) return readCenter(ctx, { domain });
      throw new DomainError('VALIDATION_ERROR', 'Give either id or domain.');
    },
  }),
  centerInfo: t.field({
    type: CenterInfo,
    description: 'What anybody may know of a center.',
    authScopes: { access: { public: true } },
    args: {
      domain: t.arg.string({ required: true, description: 'The slug that names the center in addresses.' }),
    },
    resolve: (_, { domain }, ctx) => publicInfo(ctx, domain),
  }),
  instructors: t.field({
    type: [Instructor],
    description: 'Who teaches or treats in a center, for its members, by name.',
    authScopes: { access: { signedIn: true } },
    args: { domain: t.arg.string({ required: true, description: "The center's domain slug." }) },
    resolve: (_, { domain }, ctx) => listInstructors(ctx, domain),
  }),
}));
