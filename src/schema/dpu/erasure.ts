import { z } from 'zod';
import { eraseDpuContent } from '../../domain/dpus/erase-content.ts';
import { erasureReason } from '../../domain/proof/erasure.ts';
import { builder } from '../builder.ts';
import { Dpu } from './dpu.ts';

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
