import { type WorkflowCheck as Check, checkWorkflow } from '../../domain/workflows/check.ts';
import { commonValues, type NamedValue, outputMembers } from '../../domain/workflows/definition/names.ts';
import { type DryStep, dryRunWorkflow } from '../../domain/workflows/dry-run.ts';
import type { FieldFault } from '../../lib/errors.ts';
import { builder } from '../builder.ts';
import { enumType } from '../enum-types.ts';
import { onlyProperties } from '../exposed.ts';
import { EXPORT_COMPLEXITY, VERIFICATION_COST } from '../request-cost.ts';
import { workflowEditors } from './types.ts';

/** What the author of a workflow needs while writing it. */

const WorkflowFault = builder.objectRef<FieldFault>('WorkflowFault').implement({
  description: 'A problem of a workflow.',
  fields: onlyProperties({
    path: ['String', 'The path, such as `steps.0.text`.'],
    message: ['String', 'The problem.'],
  }),
});

const WorkflowCheck = builder.objectRef<Check>('WorkflowCheck').implement({
  description: 'The result of validating a workflow.',
  fields: onlyProperties({
    faults: [[WorkflowFault], 'The problems; empty if the workflow is valid.'],
    nextRuns: ['[DateTime]', 'SCHEDULED: the next five runs.'],
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
  fields: onlyProperties({
    name: ['String', 'The name in expressions, such as `facts.members`.'],
    type: ['String', 'text, number, boolean, time or json.'],
    description: ['String', 'What it is, for people.'],
  }),
});

const WorkflowOutput = builder
  .objectRef<{ kind: string; members: NamedValue[] }>('WorkflowOutput')
  .implement({
    description: 'What a kind of step leaves for later steps.',
    fields: onlyProperties({
      kind: ['String', 'The kind of step.'],
      members: [[WorkflowValue], 'The members of `steps.<name>`.'],
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

const DryRunStatus = enumType<DryStep['status']>('DryRunStatus', 'What would happen to a step.', {
  RUN: 'It would run.',
  SKIPPED: 'A condition or branch skips it.',
  FAILED: 'It would fail, and the execution with it.',
  NOT_REACHED: 'The execution fails before it.',
});

const WorkflowDryStep = builder.objectRef<DryStep>('WorkflowDryStep').implement({
  description: 'A step in a dry run.',
  fields: onlyProperties({
    path: ['String', 'The path, such as `steps.1.yes.0`.'],
    name: ['String', 'The name of the step.'],
    kind: ['String', 'The kind of step.'],
    status: [DryRunStatus, 'What would happen to it.'],
    input: ['JSON?', 'What it would work with.'],
    output: ['JSON?', 'What later steps see of it.'],
    assumed: ['Boolean', 'Whether the output is assumed, not computed.'],
    error: ['String?', 'Why it would fail, or null.'],
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
