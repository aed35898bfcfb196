import { DECISION_DOMAIN } from '@countersign/proof-kit';
import type { RequestContext } from '../../api/request-context.ts';
import { checkAccess } from '../../domain/access.ts';
import { exportDocument } from '../../domain/decisions/prove/export/export.ts';
import { exportFromReplica } from '../../domain/decisions/prove/export/from-replica.ts';
import { readDpu } from '../../domain/dpus/dpu.ts';
import {
  type ConsistencyProof as ConsistencyProofShape,
  consistencyProof,
  type InclusionProof as InclusionProofShape,
  inclusionProof,
} from '../../domain/ledger/signing/proofs.ts';
import { builder } from '../builder.ts';
import { onlyProperties } from '../exposed.ts';
import { readers } from '../proof/decision-event.ts';
import { EXPORT_COMPLEXITY, EXPORT_COST } from '../request-cost.ts';
import { Checkpoint } from './checkpoints.ts';

const InclusionProof = builder.objectRef<InclusionProofShape>('InclusionProof').implement({
  description: 'An inclusion proof of a record under a checkpoint (RFC 9162, 2.1.3).',
  fields: onlyProperties({
    leafIndex: ['Int', 'The index of the record on its chain, from 0.'],
    recordHash: ['String', 'The hash of the record in hex.'],
    hashes: ['[String]', 'The hashes of the path from the leaf to the root, in hex.'],
    checkpoint: [Checkpoint, 'The checkpoint whose root the path leads to.'],
  }),
});

const ConsistencyProof = builder.objectRef<ConsistencyProofShape>('ConsistencyProof').implement({
  description: 'A consistency proof between two checkpoints (RFC 9162, 2.1.4).',
  fields: onlyProperties({
    from: [Checkpoint, 'The earlier checkpoint, with fewer records.'],
    to: [Checkpoint, 'The later checkpoint, with more records.'],
    hashes: ['[String]', 'The hashes that prove that the later tree extends the earlier one, in hex.'],
  }),
});

builder.queryFields((t) => ({
  inclusionProof: t.field({
    type: InclusionProof,
    description: 'An inclusion proof of a decision proof unit. Creates a checkpoint if none covers it.',
    authScopes: { access: { roles: ['ADMIN', 'INSTRUCTOR'] } },
    args: {
      dpuId: t.arg.id({ required: true, description: 'The id of the decision proof unit, `dpu_…`.' }),
      checkpointId: t.arg.id({
        description: 'The id of the checkpoint to prove it under, `chk_…`. Default: the newest.',
      }),
    },
    resolve: (_, { dpuId, checkpointId }, ctx) =>
      inclusionProof(ctx, String(dpuId), checkpointId ? String(checkpointId) : null),
  }),
  consistencyProof: t.field({
    type: ConsistencyProof,
    description: 'A consistency proof between two checkpoints of a chain.',
    authScopes: { access: { roles: ['ADMIN', 'INSTRUCTOR'] } },
    args: {
      from: t.arg.id({ required: true, description: 'The id of the earlier checkpoint, `chk_…`.' }),
      to: t.arg.id({ required: true, description: 'The id of the later checkpoint, `chk_…`.' }),
    },
    resolve: (_, { from, to }, ctx) => consistencyProof(ctx, String(from), String(to)),
  }),
}));

/** An export shows the whole decision, so it is limited to callers who may see decisions. */
async function requireReadable(ctx: RequestContext, id: string): Promise<void> {
  const { domain } = await readDpu(ctx, id);
  if (domain === DECISION_DOMAIN) checkAccess(ctx.principal, readers);
}

builder.queryField('dpuExport', (t) =>
  t.field({
    extensions: { cost: EXPORT_COST, fromReplica: true },
    complexity: EXPORT_COMPLEXITY,
    type: 'JSON',
    description: 'A decision proof unit as a JSON-LD document that can be verified offline.',
    authScopes: { access: { roles: ['ADMIN', 'INSTRUCTOR'] } },
    args: { id: t.arg.id({ required: true, description: 'The id of the decision proof unit, `dpu_…`.' }) },
    resolve: async (_, { id }, ctx) => {
      await requireReadable(ctx, String(id));
      return exportFromReplica(ctx, (from) => exportDocument(from, String(id)));
    },
  }),
);
