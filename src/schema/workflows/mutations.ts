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
  description: 'A new workflow: trigger and steps.',
  types: definitionTypes,
});

const UpdateWorkflowInput = inputType('UpdateWorkflowInput', updateWorkflowInput, {
  description: 'A complete new version of a workflow.',
  types: { id: 'ID', ...definitionTypes },
});

const WorkflowIdInput = idInput(
  'WorkflowIdInput',
  'Identifies a workflow of the center.',
  'The id of the workflow to start.',
);

const ExecuteWorkflowInput = inputType('ExecuteWorkflowInput', executeWorkflowInput, {
  description: 'A workflow to start and its parameters.',
  types: { id: 'ID' },
});

const CancelExecutionInput = idInput(
  'CancelWorkflowExecutionInput',
  'An execution to cancel.',
  'The id of the execution.',
);

const RetryExecutionInput = idInput(
  'RetryWorkflowExecutionInput',
  'An execution to retry.',
  'The id of the execution.',
);

const DecideReviewInput = inputType('DecideWorkflowReviewInput', decideReviewInput, {
  description: 'A decision on a pending review of an execution.',
  types: { executionId: 'ID' },
});

builder.mutationFields((t) => ({
  createWorkflow: t.field({
    type: Workflow,
    description: 'Creates a workflow in the current center.',
    authScopes: workflowEditors,
    args: inputArg(CreateWorkflowInput, 'The trigger and the steps.'),
    resolve: (_, { input }, ctx) => createWorkflow(ctx, input),
  }),
  updateWorkflow: t.field({
    type: Workflow,
    description: 'Saves a new version of a workflow. Running executions keep their version.',
    authScopes: workflowEditors,
    args: inputArg(UpdateWorkflowInput, 'The workflow and its complete new definition.'),
    resolve: (_, { input: { id, ...definition } }, ctx) => updateWorkflow(ctx, id, definition),
  }),
  pauseWorkflow: t.field({
    type: Workflow,
    description: 'Pauses a workflow. Running executions continue.',
    authScopes: workflowEditors,
    args: inputArg(WorkflowIdInput, 'The workflow.'),
    resolve: (_, { input }, ctx) => pauseWorkflow(ctx, input.id),
  }),
  resumeWorkflow: t.field({
    type: Workflow,
    description: 'Resumes a paused workflow.',
    authScopes: workflowEditors,
    args: inputArg(WorkflowIdInput, 'The workflow.'),
    resolve: (_, { input }, ctx) => resumeWorkflow(ctx, input.id),
  }),
  deleteWorkflow: t.field({
    type: Workflow,
    description: 'Deletes a workflow. Its executions and records remain.',
    authScopes: workflowEditors,
    args: inputArg(WorkflowIdInput, 'The workflow.'),
    resolve: (_, { input }, ctx) => deleteWorkflow(ctx, input.id),
  }),
  executeWorkflow: t.field({
    type: Execution,
    description: 'Starts a workflow manually.',
    authScopes: workflowEditors,
    args: inputArg(ExecuteWorkflowInput, 'The workflow and its parameters.'),
    resolve: (_, { input }, ctx) => executeWorkflow(ctx, input),
  }),
  cancelWorkflowExecution: t.field({
    type: Execution,
    description: 'Cancels an execution.',
    authScopes: workflowEditors,
    args: inputArg(CancelExecutionInput, 'The id of the execution.'),
    resolve: (_, { input }, ctx) => cancelExecution(ctx, input.id),
  }),
  retryWorkflowExecution: t.field({
    type: Execution,
    description:
      'Retries a failed or canceled execution as a new one, starting at the step where it stopped.',
    authScopes: workflowEditors,
    args: inputArg(RetryExecutionInput, 'The execution to retry.'),
    resolve: (_, { input }, ctx) => retryExecution(ctx, input.id),
  }),
  decideWorkflowReview: t.field({
    type: Execution,
    description: 'Decides a pending review of an execution. Requires one of the roles named by the step.',
    authScopes: workflowEditors,
    args: inputArg(DecideReviewInput, 'The execution and the decision.'),
    resolve: (_, { input }, ctx) => decideReview(ctx, input),
  }),
}));
