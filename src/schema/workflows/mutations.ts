import { workflowDefinition } from '../../domain/workflows/definition/workflow.ts';
import {
  createWorkflow,
  deleteWorkflow,
  pauseWorkflow,
  resumeWorkflow,
  updateWorkflow,
  updateWorkflowInput,
} from '../../domain/workflows/manage.ts';
import {
  cancelExecution,
  decideReview,
  decideReviewInput,
  executeWorkflow,
  executeWorkflowInput,
  retryExecution,
} from '../../domain/workflows/manage-executions.ts';
import { builder } from '../builder.ts';
import { idInput, inputArg, inputType } from '../input-types.ts';
import { Execution, Workflow, WorkflowType, workflowEditors } from './types.ts';

const definitionTypes = { type: WorkflowType, steps: 'JSON', parametersSchema: 'JSON' } as const;

const CreateWorkflowInput = inputType('CreateWorkflowInput', workflowDefinition, {
  description: 'What starts a workflow, and its steps.',
  types: definitionTypes,
});

const UpdateWorkflowInput = inputType('UpdateWorkflowInput', updateWorkflowInput, {
  description: 'The whole new version of a workflow; omitted members take their defaults.',
  types: { id: 'ID', ...definitionTypes },
});

const WorkflowIdInput = idInput(
  'WorkflowIdInput',
  'A workflow of the center.',
  'The id of the workflow, `wf_…`.',
);

const ExecuteWorkflowInput = inputType('ExecuteWorkflowInput', executeWorkflowInput, {
  description: 'Which workflow to start, and its parameters.',
  types: { id: 'ID' },
});

const CancelExecutionInput = idInput(
  'CancelWorkflowExecutionInput',
  'The execution to stop at its current step.',
  'The id of the execution, `exe_…`.',
);

const RetryExecutionInput = idInput(
  'RetryWorkflowExecutionInput',
  'The failed or canceled execution to start again.',
  'The id of the execution, `exe_…`.',
);

const DecideReviewInput = inputType('DecideWorkflowReviewInput', decideReviewInput, {
  description: 'Whether an execution may continue, and why.',
  types: { executionId: 'ID' },
});

builder.mutationFields((t) => ({
  createWorkflow: t.field({
    type: Workflow,
    description: 'Creates a workflow in the current center.',
    authScopes: workflowEditors,
    args: inputArg(CreateWorkflowInput, 'What starts the workflow, and its steps.'),
    resolve: (_, { input }, ctx) => createWorkflow(ctx, input),
  }),
  updateWorkflow: t.field({
    type: Workflow,
    description: 'Saves a new version of a workflow. Running executions keep their version.',
    authScopes: workflowEditors,
    args: inputArg(UpdateWorkflowInput, 'The workflow with its whole new definition.'),
    resolve: (_, { input: { id, ...definition } }, ctx) => updateWorkflow(ctx, id, definition),
  }),
  pauseWorkflow: t.field({
    type: Workflow,
    description: 'Pauses a workflow: nothing starts it any more. Running executions continue.',
    authScopes: workflowEditors,
    args: inputArg(WorkflowIdInput, 'The workflow, which does not start until it is resumed.'),
    resolve: (_, { input }, ctx) => pauseWorkflow(ctx, input.id),
  }),
  resumeWorkflow: t.field({
    type: Workflow,
    description: 'Resumes a paused workflow, so that it starts again as its trigger says.',
    authScopes: workflowEditors,
    args: inputArg(WorkflowIdInput, 'The workflow, which starts again as its trigger says.'),
    resolve: (_, { input }, ctx) => resumeWorkflow(ctx, input.id),
  }),
  deleteWorkflow: t.field({
    type: Workflow,
    description: 'Deletes a workflow. Its executions and records remain.',
    authScopes: workflowEditors,
    args: inputArg(WorkflowIdInput, 'The workflow, which never starts again.'),
    resolve: (_, { input }, ctx) => deleteWorkflow(ctx, input.id),
  }),
  executeWorkflow: t.field({
    type: Execution,
    description: 'Starts a workflow manually, whatever its trigger. Not while it is paused.',
    authScopes: workflowEditors,
    args: inputArg(ExecuteWorkflowInput, 'The workflow and its parameters.'),
    resolve: (_, { input }, ctx) => executeWorkflow(ctx, input),
  }),
  cancelWorkflowExecution: t.field({
    type: Execution,
    description:
      'Stops an execution at its current step. A request that a running step has sent is not undone.',
    authScopes: workflowEditors,
    args: inputArg(CancelExecutionInput, 'The execution, which must not have ended.'),
    resolve: (_, { input }, ctx) => cancelExecution(ctx, input.id),
  }),
  retryWorkflowExecution: t.field({
    type: Execution,
    description:
      'Retries a failed or canceled execution as a new one, starting at the step where it stopped.',
    authScopes: workflowEditors,
    args: inputArg(RetryExecutionInput, 'The execution, which must be FAILED or CANCELLED.'),
    resolve: (_, { input }, ctx) => retryExecution(ctx, input.id),
  }),
  decideWorkflowReview: t.field({
    type: Execution,
    description: 'Decides a pending review of an execution. Requires one of the roles named by the step.',
    authScopes: workflowEditors,
    args: inputArg(DecideReviewInput, 'The execution, and whether it may continue.'),
    resolve: (_, { input }, ctx) => decideReview(ctx, input),
  }),
}));
