import { DECISION_DOMAIN } from '@countersign/proof-kit';
import type { RequestContext } from '../../api/request-context.ts';
import { checkAccess } from '../../domain/access.ts';
import { readDpu } from '../../domain/dpus/dpu.ts';
import { exportDocument } from '../../domain/proof/export/export.ts';
import { builder } from '../builder.ts';
import { readers } from '../proof/decision-event.ts';
import { EXPORT_COMPLEXITY, EXPORT_COST } from '../request-cost.ts';

/** An export shows all of a decision, so it is for those who may see decisions. */
async function requireReadable(ctx: RequestContext, id: string): Promise<void> {
  const { domain } = await readDpu(ctx, id);
  if (domain === DECISION_DOMAIN) checkAccess(ctx.principal, readers);
}

builder.queryField('dpuExport', (t) =>
  t.field({
    extensions: { cost: EXPORT_COST },
    complexity: EXPORT_COMPLEXITY,
    type: 'JSON',
    description:
      'A decision proof unit as a JSON-LD document that can be checked without asking this service.',
    authScopes: { access: { roles: ['ADMIN', 'INSTRUCTOR'] } },
    args: { id: t.arg.id({ required: true, description: 'The id of the decision proof unit.' }) },
    resolve: async (_, { id }, ctx) => {
      await requireReadable(ctx, String(id));
      return exportDocument(ctx, String(id));
    },
  }),
);
