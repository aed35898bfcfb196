import { exportDocument } from '../../domain/ledger/export/export.ts';
import { builder } from '../builder.ts';

builder.queryField('dpuExport', (t) =>
  t.field({
    type: 'JSON',
    description:
      'A decision proof unit as a JSON-LD document that can be checked without asking this service.',
    authScopes: { access: { roles: ['ADMIN', 'INSTRUCTOR'] } },
    args: { id: t.arg.id({ required: true, description: 'The id of the decision proof unit.' }) },
    resolve: (_, { id }, ctx) => exportDocument(ctx, String(id)),
  }),
);
