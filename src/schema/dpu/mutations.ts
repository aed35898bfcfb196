import { z } from 'zod';
import { erasureReason } from '../../domain/decisions/erase/erasure.ts';
import { createDemoDpu, demoDpuInput, referenceTypes } from '../../domain/dpus/demo.ts';
import { confirmContentErasure, eraseDpuContent } from '../../domain/dpus/erase-content.ts';
import { updateDpu, updateDpuInput } from '../../domain/dpus/update-dpu.ts';
import { builder } from '../builder.ts';
import { EvidenceLevel } from '../enums.ts';
import { Dpu, dpuWriters } from './dpu.ts';

const UpdateDpuInput = builder
  .inputType('UpdateDpuInput', {
    description: 'Changes to a decision proof unit.',
    fields: (t) => ({
      id: t.id({ required: true, description: 'The id of the decision proof unit.' }),
      evidenceLevel: t.field({
        type: EvidenceLevel,
        description: 'The new level. It can only rise.',
      }),
      metadata: t.field({
        type: 'JSON',
        description: 'An object merged into its metadata key by key; null removes a key.',
      }),
    }),
  })
  .validate(updateDpuInput.extend({ id: z.string() }));

const CreateDemoDpuInput = builder
  .inputType('CreateDemoDpuInput', {
    description: 'A demo record.',
    fields: (t) => ({
      content: t.string({ description: 'The content. Default: a sample sentence.' }),
      referenceType: t.string({ description: `What it is about: ${referenceTypes.join(', ')}.` }),
      referenceId: t.string({ description: 'The id of the related object.' }),
      tags: t.stringList({ description: 'Tags for searching.' }),
    }),
  })
  .validate(demoDpuInput);

builder.mutationFields((t) => ({
  updateDpu: t.field({
    type: Dpu,
    description: 'Raises the level of a decision proof unit, adds to its metadata, or both.',
    authScopes: { access: dpuWriters },
    args: {
      input: t.arg({
        type: UpdateDpuInput,
        required: true,
        description: 'The decision proof unit and its changes.',
      }),
    },
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
  erasedAt: t.expose('erasedAt', {
    type: 'DateTime',
    nullable: true,
    description: 'When the content was erased. The content is then empty, and the hash remains.',
  }),
  erasedReason: t.exposeString('erasedReason', {
    nullable: true,
    description: 'Why the content was erased.',
  }),
}));

const EraseDpuContentInput = builder
  .inputType('EraseDpuContentInput', {
    description: 'The record whose content is erased permanently.',
    fields: (t) => ({
      id: t.id({ required: true, description: 'The id of the decision proof unit on the platform chain.' }),
      reason: t.string({
        required: true,
        description: 'The reason. It is stored and shown with the proof, so do not include erased data.',
      }),
    }),
  })
  .validate(z.object({ id: z.string(), reason: erasureReason }));

builder.mutationField('eraseDpuContent', (t) =>
  t.field({
    type: Dpu,
    description:
      'Erases the content of a platform record together with its metadata, tags, and the related attendance, certificate or run. Its hash remains on the chain.',
    authScopes: { access: { roles: ['ADMIN'] } },
    args: {
      input: t.arg({
        type: EraseDpuContentInput,
        required: true,
        description: 'The members to erase and the reason.',
      }),
    },
    resolve: (_, { input }, ctx) => eraseDpuContent(ctx, input.id, input.reason),
  }),
);

const ConfirmContentErasureInput = builder
  .inputType('ConfirmContentErasureInput', {
    description: 'The erasure to confirm.',
    fields: (t) => ({ id: t.id({ required: true, description: 'The decision proof unit.' }) }),
  })
  .validate(z.object({ id: z.string() }));

builder.mutationField('confirmContentErasure', (t) =>
  t.field({
    type: Dpu,
    description: 'Carries out the erasure of a content that another ADMIN requested.',
    authScopes: { access: { roles: ['ADMIN'] } },
    args: {
      input: t.arg({ type: ConfirmContentErasureInput, required: true, description: 'Which one.' }),
    },
    resolve: (_, { input }, ctx) => confirmContentErasure(ctx, input.id),
  }),
);
