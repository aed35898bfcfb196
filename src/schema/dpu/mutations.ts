import { z } from 'zod';
import { erasureReason } from '../../domain/decisions/erase/erasure.ts';
import { createDemoDpu, demoDpuInput } from '../../domain/dpus/demo.ts';
import { confirmContentErasure, eraseDpuContent } from '../../domain/dpus/erase-content.ts';
import { updateDpu, updateDpuInput } from '../../domain/dpus/update-dpu.ts';
import { builder } from '../builder.ts';
import { EvidenceLevel } from '../enums.ts';
import { properties } from '../exposed.ts';
import { idInput, inputArg, inputType } from '../input-types.ts';
import { Dpu, dpuWriters } from './dpu.ts';

const UpdateDpuInput = inputType(
  'UpdateDpuInput',
  updateDpuInput.extend({ id: z.string().describe('The id of the decision proof unit, `dpu_…`.') }),
  {
    description: 'Changes to a decision proof unit.',
    types: { id: 'ID', evidenceLevel: EvidenceLevel },
  },
);

const CreateDemoDpuInput = inputType('CreateDemoDpuInput', demoDpuInput, {
  description: 'A record for trying out the chain, with the level DRAFT.',
});

builder.mutationFields((t) => ({
  updateDpu: t.field({
    type: Dpu,
    description: 'Raises the level of a decision proof unit, adds to its metadata, or both.',
    authScopes: { access: dpuWriters },
    args: inputArg(UpdateDpuInput, 'The decision proof unit and its changes.'),
    resolve: (_, { input: { id, ...changes } }, ctx) => updateDpu(ctx, id, changes),
  }),
  createDemoDpu: t.field({
    type: Dpu,
    description: 'Records a demo record on the platform chain of the center.',
    authScopes: { access: dpuWriters },
    args: {
      input: t.arg({
        type: CreateDemoDpuInput,
        description: 'The demo record. Default: a sample.',
      }),
    },
    resolve: (_, { input }, ctx) => createDemoDpu(ctx, input ?? {}),
  }),
}));

builder.objectFields(Dpu, (t) => ({
  ...properties(t, {
    erasedAt: ['DateTime?', 'When the content was erased. The content is then empty, and the hash remains.'],
    erasedReason: ['String?', 'Why the content was erased; null if it was not.'],
  }),
}));

const EraseDpuContentInput = inputType(
  'EraseDpuContentInput',
  z.object({
    id: z.string().describe('The id of the decision proof unit on the platform chain, `dpu_…`.'),
    reason: erasureReason.describe(
      'The reason. It is stored and shown with the proof, so do not include erased data.',
    ),
  }),
  {
    description: 'The record whose content is erased permanently.',
    types: { id: 'ID' },
  },
);

builder.mutationField('eraseDpuContent', (t) =>
  t.field({
    type: Dpu,
    description:
      'Erases the content of a platform record together with its metadata, tags, and the related attendance, certificate or run. Its hash remains on the chain.',
    authScopes: { access: { roles: ['ADMIN'] } },
    args: inputArg(EraseDpuContentInput, 'The record and the reason.'),
    resolve: (_, { input }, ctx) => eraseDpuContent(ctx, input.id, input.reason),
  }),
);

const ConfirmContentErasureInput = idInput(
  'ConfirmContentErasureInput',
  'The erasure that another ADMIN requested.',
  'The id of the decision proof unit, `dpu_…`.',
);

builder.mutationField('confirmContentErasure', (t) =>
  t.field({
    type: Dpu,
    description: 'Carries out the erasure of a content that another ADMIN requested.',
    authScopes: { access: { roles: ['ADMIN'] } },
    args: inputArg(
      ConfirmContentErasureInput,
      'The record, whose erasure another ADMIN must have requested.',
    ),
    resolve: (_, { input }, ctx) => confirmContentErasure(ctx, input.id),
  }),
);
