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
  description: 'Something that must be corrected before the workflow can be saved.',
  fields: onlyProperties({
    path: ['String', 'The path, such as `steps.0.text`.'],
    message: ['String', 'What is wrong, in words.'],
  }),
});

const WorkflowCheck = builder.objectRef<Check>('WorkflowCheck').implement({
  description: 'Whether a workflow can be saved, and when it would run.',
  fields: onlyProperties({
    faults: [[WorkflowFault], 'What must be corrected; empty if the workflow is valid.'],
    nextRuns: [
      '[DateTime]',
      'SCHEDULED: the next five times at which it would start, in UTC; empty for other triggers.',
    ],
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
    description: ['String', 'What the value is, in a sentence.'],
  }),
});

const WorkflowOutput = builder
  .objectRef<{ kind: string; members: NamedValue[] }>('WorkflowOutput')
  .implement({
    description: 'What a kind of step leaves for later steps.',
    fields: onlyProperties({
      kind: ['String', 'The kind of step, such as `http`.'],
      members: [[WorkflowValue], 'What later steps read as `steps.<name>`.'],
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
  RUN: 'It would be carried out.',
  SKIPPED: 'A condition or branch skips it.',
  FAILED: 'It would fail, and the execution with it.',
  NOT_REACHED: 'The execution fails before it.',
});

const WorkflowDryStep = builder.objectRef<DryStep>('WorkflowDryStep').implement({
  description: 'A step in a dry run.',
  fields: onlyProperties({
    path: ['String', 'The path, such as `steps.1.yes.0`.'],
    name: ['String', 'The name that the author gave the step.'],
    kind: [
      'String',
      'What the step does: template, http, condition, branch, wait, emit_event, record_decision, human_review or ai.',
    ],
    status: [DryRunStatus, 'What would happen to it.'],
    input: ['JSON?', 'What the step would work with; null if it is not reached or skipped.'],
    output: ['JSON?', 'What later steps would read of it; null if it is not reached, skipped or has none.'],
    assumed: ['Boolean', 'Whether the output is assumed, not computed.'],
    error: ['String?', 'Why it would fail; null if it would not.'],
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
      parameters: t.arg({
        type: 'JSON',
        description: 'The values that its steps read as `parameters`, an object. Default: none.',
      }),
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
