// REST rows check their bodies with the same rules.
import { z } from 'zod';
import { createDemoDpu, demoDpuInput, referenceTypes } from '../../domain/dpus/demo.ts';
import { confirmContentErasure, eraseDpuContent } from '../../domain/dpus/erase-content.ts';
import { updateDpu, updateDpuInput } from '../../domain/dpus/update-dpu.ts';
import { erasureReason } from '../../domain/proof/erasure.ts';
import { builder } from '../builder.ts';
import { EvidenceLevel } from '../enums.ts';
import { Dpu, dpuWriters } from './dpu.ts';

export { demoDpuInput, updateDpuInput };

const UpdateDpuInput = builder
  .inputType('UpdateDpuInput', {
    description: 'What to change on a decision proof unit.',
    fields: (t) => ({
      id: t.id({ required: true, description: 'The id of the decision proof unit.' }),
      evidenceLevel: t.field({
        type: EvidenceLevel,
        description: 'The level to raise it to; it never falls.',
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
    description: 'A record to try the chain with.',
    fields: (t) => ({
      content: t.string({ description: 'The decision; a sentence is made up without it.' }),
      referenceType: t.string({ description: `What it is about: ${referenceTypes.join(', ')}.` }),
      referenceId: t.string({ description: 'The id of what it is about.' }),
      tags: t.stringList({ description: 'Words to find it by.' }),
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
        description: 'Which decision proof unit, and what to change of it.',
      }),
    },
    resolve: (_, { input: { id, ...changes } }, ctx) => updateDpu(ctx, id, changes),
  }),
  createDemoDpu: t.field({
    type: Dpu,
    description: 'Records a demonstration on the platform chain of the center.',
    authScopes: { access: dpuWriters },
    args: {
      input: t.arg({
        type: CreateDemoDpuInput,
        description: 'What the demonstration record says; a sample when left out.',
      }),
    },
    resolve: (_, { input }, ctx) => createDemoDpu(ctx, input ?? {}),
  }),
}));

builder.objectFields(Dpu, (t) => ({
  erasedAt: t.expose('erasedAt', {
    type: 'DateTime',
    nullable: true,
    description: 'When its content was deleted; it is empty then, and its hash stays.',
  }),
  erasedReason: t.exposeString('erasedReason', {
    nullable: true,
    description: 'Why its content was deleted.',
  }),
}));

const EraseDpuContentInput = builder
  .inputType('EraseDpuContentInput', {
    description: 'The record whose content is to be deleted, for good.',
    fields: (t) => ({
      id: t.id({ required: true, description: 'The decision proof unit, of the platform chain.' }),
      reason: t.string({
        required: true,
        description: 'Why. It is kept, and shown with the proof: do not repeat here what is to be deleted.',
      }),
    }),
  })
  .validate(z.object({ id: z.string(), reason: erasureReason }));

builder.mutationField('eraseDpuContent', (t) =>
  t.field({
    type: Dpu,
    description:
      'Deletes the content of a record of the platform with what repeats it: its notes and tags, the attendance, certificate or run that it proved. Its hash stays in the chain.',
    authScopes: { access: { roles: ['ADMIN'] } },
    args: {
      input: t.arg({ type: EraseDpuContentInput, required: true, description: 'What to delete, and why.' }),
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
