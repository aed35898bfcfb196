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
import { Execution, Workflow, WorkflowType, workflowEditors } from './types.ts';

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

const definitionFields = (t: InputFields) => ({
  name: t.string({ required: true, description: 'The name.' }),
  description: t.string({ description: 'A description for people.' }),
  type: t.field({ type: WorkflowType, required: true, description: 'The trigger.' }),
  cron: t.string({ description: 'SCHEDULED: five cron fields.' }),
  timezone: t.string({ description: "SCHEDULED: the time zone. Default: the center's." }),
  eventPattern: t.string({ description: 'EVENT: the event type, a prefix with `.*`, or `*`.' }),
  steps: t.field({
    type: 'JSON',
    required: true,
    description:
      'The steps in order: objects with `name`, `kind` (template, http, condition, branch, wait, emit_event, record_decision, human_review, ai) and the fields of the kind. A branch has `if` and the steps of its sides, `yes` and `no`.',
  }),
  parametersSchema: t.field({
    type: 'JSON',
    description: 'JSON Schema of the parameters. Without it, any parameters are accepted.',
  }),
});

const CreateWorkflowInput = builder
  .inputType('CreateWorkflowInput', {
    description: 'A new workflow: trigger and steps.',
    fields: definitionFields,
  })
  .validate(workflowDefinition);

const UpdateWorkflowInput = builder
  .inputType('UpdateWorkflowInput', {
    description: 'A complete new version of a workflow.',
    fields: (t) => ({
      id: t.id({ required: true, description: 'The id of the workflow to start.' }),
      ...definitionFields(t),
    }),
  })
  .validate(updateWorkflowInput);

const WorkflowIdInput = builder.inputType('WorkflowIdInput', {
  description: 'Identifies a workflow of the center.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The id of the workflow to start.' }) }),
});

const ExecuteWorkflowInput = builder
  .inputType('ExecuteWorkflowInput', {
    description: 'A workflow to start and its parameters.',
    fields: (t) => ({
      id: t.id({ required: true, description: 'The id of the workflow to start.' }),
      parameters: t.field({ type: 'JSON', description: 'The parameters, an object.' }),
    }),
  })
  .validate(executeWorkflowInput);

const CancelExecutionInput = builder.inputType('CancelWorkflowExecutionInput', {
  description: 'An execution to cancel.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The id of the execution.' }) }),
});

const RetryExecutionInput = builder.inputType('RetryWorkflowExecutionInput', {
  description: 'An execution to retry.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The id of the execution.' }) }),
});

const DecideReviewInput = builder
  .inputType('DecideWorkflowReviewInput', {
    description: 'A decision on a pending review of an execution.',
    fields: (t) => ({
      executionId: t.id({ required: true, description: 'The execution with the pending review.' }),
      approved: t.boolean({ required: true, description: 'Whether the execution may continue.' }),
      reason: t.string({ description: 'The reason, stored with the execution.' }),
    }),
  })
  .validate(decideReviewInput);

builder.mutationFields((t) => ({
  createWorkflow: t.field({
    type: Workflow,
    description: 'Creates a workflow in the current center.',
    authScopes: workflowEditors,
    args: {
      input: t.arg({
        type: CreateWorkflowInput,
        required: true,
        description: 'The trigger and the steps.',
      }),
    },
    resolve: (_, { input }, ctx) => createWorkflow(ctx, input),
  }),
  updateWorkflow: t.field({
    type: Workflow,
    description: 'Saves a new version of a workflow. Running executions keep their version.',
    authScopes: workflowEditors,
    args: {
      input: t.arg({
        type: UpdateWorkflowInput,
        required: true,
        description: 'The workflow and its complete new definition.',
      }),
    },
    resolve: (_, { input: { id, ...definition } }, ctx) => updateWorkflow(ctx, id, definition),
  }),
  pauseWorkflow: t.field({
    type: Workflow,
    description: 'Pauses a workflow. Running executions continue.',
    authScopes: workflowEditors,
    args: {
      input: t.arg({ type: WorkflowIdInput, required: true, description: 'The workflow.' }),
    },
    resolve: (_, { input }, ctx) => pauseWorkflow(ctx, String(input.id)),
  }),
  resumeWorkflow: t.field({
    type: Workflow,
    description: 'Resumes a paused workflow.',
    authScopes: workflowEditors,
    args: {
      input: t.arg({ type: WorkflowIdInput, required: true, description: 'The workflow.' }),
    },
    resolve: (_, { input }, ctx) => resumeWorkflow(ctx, String(input.id)),
  }),
  deleteWorkflow: t.field({
    type: Workflow,
    description: 'Deletes a workflow. Its executions and records remain.',
    authScopes: workflowEditors,
    args: {
      input: t.arg({ type: WorkflowIdInput, required: true, description: 'The workflow.' }),
    },
    resolve: (_, { input }, ctx) => deleteWorkflow(ctx, String(input.id)),
  }),
  executeWorkflow: t.field({
    type: Execution,
    description: 'Starts a workflow manually.',
    authScopes: workflowEditors,
    args: {
      input: t.arg({
        type: ExecuteWorkflowInput,
        required: true,
        description: 'The workflow and its parameters.',
      }),
    },
    resolve: (_, { input }, ctx) => executeWorkflow(ctx, input),
  }),
  cancelWorkflowExecution: t.field({
    type: Execution,
    description: 'Cancels an execution.',
    authScopes: workflowEditors,
    args: {
      input: t.arg({ type: CancelExecutionInput, required: true, description: 'The id of the execution.' }),
    },
    resolve: (_, { input }, ctx) => cancelExecution(ctx, String(input.id)),
  }),
  retryWorkflowExecution: t.field({
    type: Execution,
    description:
      'Retries a failed or canceled execution as a new one, starting at the step where it stopped.',
    authScopes: workflowEditors,
    args: {
      input: t.arg({ type: RetryExecutionInput, required: true, description: 'The execution to retry.' }),
    },
    resolve: (_, { input }, ctx) => retryExecution(ctx, String(input.id)),
  }),
  decideWorkflowReview: t.field({
    type: Execution,
    description: 'Decides a pending review of an execution. Requires one of the roles named by the step.',
    authScopes: workflowEditors,
    args: {
      input: t.arg({
        type: DecideReviewInput,
        required: true,
        description: 'The execution and the decision.',
      }),
    },
    resolve: (_, { input }, ctx) => decideReview(ctx, input),
  }),
}));
