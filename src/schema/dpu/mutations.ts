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
  updateDpuInput.extend({ id: z.string().describe('The id of the decision proof unit.') }),
  {
    description: 'Changes to a decision proof unit.',
    types: { id: 'ID', evidenceLevel: EvidenceLevel },
    descriptions: { metadata: 'An object merged into its metadata key by key; null removes a key.' },
  },
);

const CreateDemoDpuInput = inputType('CreateDemoDpuInput', demoDpuInput, { description: 'A demo record.' });

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
    erasedReason: ['String?', 'Why the content was erased.'],
  }),
}));

const EraseDpuContentInput = inputType(
  'EraseDpuContentInput',
  z.object({
    id: z.string().describe('The id of the decision proof unit on the platform chain.'),
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
    args: inputArg(EraseDpuContentInput, 'The members to erase and the reason.'),
    resolve: (_, { input }, ctx) => eraseDpuContent(ctx, input.id, input.reason),
  }),
);

const ConfirmContentErasureInput = idInput(
  'ConfirmContentErasureInput',
  'The erasure to confirm.',
  'The decision proof unit.',
);

builder.mutationField('confirmContentErasure', (t) =>
  t.field({
    type: Dpu,
    description: 'Carries out the erasure of a content that another ADMIN requested.',
    authScopes: { access: { roles: ['ADMIN'] } },
    args: inputArg(ConfirmContentErasureInput, 'Which one.'),
    resolve: (_, { input }, ctx) => confirmContentErasure(ctx, input.id),
  }),
);
