import { type WorkflowCheck as Check, checkWorkflow } from '../../domain/workflows/check.ts';
import { commonValues, type NamedValue, outputMembers } from '../../domain/workflows/definition/names.ts';
import { type DryStep, dryRunWorkflow } from '../../domain/workflows/dry-run.ts';
import type { FieldFault } from '../../lib/errors.ts';
import { builder } from '../builder.ts';
import { EXPORT_COMPLEXITY, VERIFICATION_COST } from '../request-cost.ts';
import { workflowEditors } from './types.ts';

/** What the author of a workflow needs while writing it. */

const WorkflowFault = builder.objectRef<FieldFault>('WorkflowFault').implement({
  description: 'A problem of a workflow.',
  fields: (t) => ({
    path: t.exposeString('path', { description: 'The path, such as `steps.0.text`.' }),
    message: t.exposeString('message', { description: 'The problem.' }),
  }),
});

const WorkflowCheck = builder.objectRef<Check>('WorkflowCheck').implement({
  description: 'The result of validating a workflow.',
  fields: (t) => ({
    faults: t.field({
      type: [WorkflowFault],
      description: 'The problems; empty if the workflow is valid.',
      resolve: ({ faults }) => faults,
    }),
    nextRuns: t.expose('nextRuns', {
      type: ['DateTime'],
      description: 'SCHEDULED: the next five runs.',
    }),
  }),
});

builder.queryField('checkWorkflow', (t) =>
  t.field({
    type: WorkflowCheck,
    description: 'Validates a workflow without saving it.',
    authScopes: workflowEditors,
    complexity: 50,
    args: {
      definition: t.arg({
        type: 'JSON',
        required: true,
        description: 'The workflow, with the fields of CreateWorkflowInput.',
      }),
    },
    resolve: (_, { definition }, ctx) => checkWorkflow(ctx, definition),
  }),
);

const WorkflowValue = builder.objectRef<NamedValue>('WorkflowValue').implement({
  description: 'A value that expressions of workflows can read.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name in expressions, such as `facts.members`.' }),
    type: t.exposeString('type', { description: 'text, number, boolean, time or json.' }),
    description: t.exposeString('description', { description: 'What it is, for people.' }),
  }),
});

const WorkflowOutput = builder
  .objectRef<{ kind: string; members: NamedValue[] }>('WorkflowOutput')
  .implement({
    description: 'What a kind of step leaves for later steps.',
    fields: (t) => ({
      kind: t.exposeString('kind', { description: 'The kind of step.' }),
      members: t.field({
        type: [WorkflowValue],
        description: 'The members of `steps.<name>`.',
        resolve: ({ members }) => members,
      }),
    }),
  });

const WorkflowNames = builder.objectRef<object>('WorkflowNames').implement({
  description: 'The names that expressions of workflows can use.',
  fields: (t) => ({
    values: t.field({
      type: [WorkflowValue],
      description: 'The values of every workflow.',
      resolve: () => commonValues,
    }),
    outputs: t.field({
      type: [WorkflowOutput],
      description: 'The outputs of steps, by kind.',
      resolve: () => Object.entries(outputMembers).map(([kind, members]) => ({ kind, members })),
    }),
  }),
});

const DryRunStatus = builder.enumType('DryRunStatus', {
  description: 'What would happen to a step.',
  values: {
    RUN: { description: 'It would run.' },
    SKIPPED: { description: 'A condition or branch skips it.' },
    FAILED: { description: 'It would fail, and the execution with it.' },
    NOT_REACHED: { description: 'The execution fails before it.' },
  } as const,
});

const WorkflowDryStep = builder.objectRef<DryStep>('WorkflowDryStep').implement({
  description: 'A step in a dry run.',
  fields: (t) => ({
    path: t.exposeString('path', { description: 'The path, such as `steps.1.yes.0`.' }),
    name: t.exposeString('name', { description: 'The name of the step.' }),
    kind: t.exposeString('kind', { description: 'The kind of step.' }),
    status: t.expose('status', { type: DryRunStatus, description: 'What would happen to it.' }),
    input: t.expose('input', { type: 'JSON', nullable: true, description: 'What it would work with.' }),
    output: t.expose('output', { type: 'JSON', nullable: true, description: 'What later steps see of it.' }),
    assumed: t.exposeBoolean('assumed', { description: 'Whether the output is assumed, not computed.' }),
    error: t.exposeString('error', { nullable: true, description: 'Why it would fail, or null.' }),
  }),
});

builder.queryFields((t) => ({
  workflowNames: t.field({
    type: WorkflowNames,
    description: 'The names that expressions of workflows can use, for completion.',
    authScopes: workflowEditors,
    resolve: () => ({}),
  }),
  dryRunWorkflow: t.field({
    type: [WorkflowDryStep],
    description:
      'Shows which steps of a workflow would run with the given input. Nothing is stored, sent or recorded.',
    authScopes: workflowEditors,
    complexity: EXPORT_COMPLEXITY,
    extensions: { cost: VERIFICATION_COST },
    args: {
      definition: t.arg({
        type: 'JSON',
        required: true,
        description: 'The workflow, with the fields of CreateWorkflowInput.',
      }),
      parameters: t.arg({ type: 'JSON', description: 'The parameters, an object.' }),
      event: t.arg({ type: 'JSON', description: 'Members of `event`, such as `type` and `data`.' }),
      outputs: t.arg({
        type: 'JSON',
        description:
          'Outputs of http, ai, human_review and record_decision steps, by name. Default: status 200, approved.',
      }),
    },
    resolve: (_, input, ctx) => dryRunWorkflow(ctx, input),
  }),
}));
