import { type WorkflowCheck as Check, checkWorkflow } from '../../domain/workflows/check.ts';
import type { FieldFault } from '../../lib/errors.ts';
import { builder } from '../builder.ts';
import { keepers } from './types.ts';

const WorkflowFault = builder.objectRef<FieldFault>('WorkflowFault').implement({
  description: 'Something that keeps a workflow from being saved.',
  fields: (t) => ({
    path: t.exposeString('path', { description: 'Where it stands, such as `steps.0.text`.' }),
    message: t.exposeString('message', { description: 'What is wrong with it.' }),
  }),
});

const WorkflowCheck = builder.objectRef<Check>('WorkflowCheck').implement({
  description: 'What saving a workflow would say, and when it would run.',
  fields: (t) => ({
    faults: t.field({
      type: [WorkflowFault],
      description: 'What keeps it from being saved; empty when nothing does.',
      resolve: ({ faults }) => faults,
    }),
    nextRuns: t.expose('nextRuns', {
      type: ['DateTime'],
      description: 'SCHEDULED: the next five times it would run.',
    }),
  }),
});

builder.queryField('checkWorkflow', (t) =>
  t.field({
    type: WorkflowCheck,
    description: 'Checks a workflow that is still being written. Nothing is kept.',
    authScopes: keepers,
    complexity: 50,
    args: {
      definition: t.arg({
        type: 'JSON',
        required: true,
        description: 'The workflow with the members of CreateWorkflowInput.',
      }),
    },
    resolve: (_, { definition }, ctx) => checkWorkflow(ctx, definition),
  }),
);
