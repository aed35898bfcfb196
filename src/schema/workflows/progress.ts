import { type Progress, watchExecution } from '../../domain/workflows/progress.ts';
import { builder } from '../builder.ts';
import { Execution, keepers, StepRun } from './types.ts';

const ExecutionProgress = builder.objectRef<Progress>('WorkflowExecutionProgress').implement({
  description: 'A sign of life of an execution.',
  fields: (t) => ({
    execution: t.prismaField({
      type: Execution,
      nullable: true,
      description: 'The execution as it stands now.',
      resolve: (query, { executionId }, _, ctx) =>
        ctx.db.workflowExecution.findUnique({ ...query, where: { id: executionId } }),
    }),
    step: t.prismaField({
      type: StepRun,
      nullable: true,
      description: 'The step that moved; null when the execution itself did.',
      resolve: (query, { executionId, position }, _, ctx) =>
        position === null
          ? null
          : ctx.db.workflowStepRun.findUnique({
              ...query,
              where: { executionId_position: { executionId, position } },
            }),
    }),
  }),
});

builder.subscriptionField('workflowExecutionProgress', (t) =>
  t.field({
    type: ExecutionProgress,
    description: 'An execution step by step, from its beginning to its end; then the stream ends too.',
    authScopes: keepers,
    args: { id: t.arg.id({ required: true, description: 'Which execution to follow.' }) },
    subscribe: (_, { id }, ctx) => watchExecution(ctx, String(id)),
    resolve: (progress: Progress) => progress,
  }),
);
