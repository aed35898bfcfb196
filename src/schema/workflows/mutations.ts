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
import { Execution, keepers, Workflow, WorkflowType } from './types.ts';

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

const definitionFields = (t: InputFields) => ({
  name: t.string({ required: true, description: 'What to call it.' }),
  description: t.string({ description: 'What it is for, as a note to people.' }),
  type: t.field({ type: WorkflowType, required: true, description: 'What starts it besides people.' }),
  cron: t.string({ description: 'SCHEDULED: when, as five cron fields.' }),
  timezone: t.string({ description: "SCHEDULED: the zone of the schedule; the center's when left out." }),
  eventPattern: t.string({ description: 'EVENT: the event type, a prefix with `.*`, or `*`.' }),
  steps: t.field({
    type: 'JSON',
    required: true,
    description:
      'The steps in order: objects with `name`, `kind` (template, http, condition, wait, emit_event, record_decision, human_review, ai) and what the kind needs.',
  }),
  parametersSchema: t.field({
    type: 'JSON',
    description: 'What it may be started with, as a JSON schema of an object; anything when left out.',
  }),
});

const CreateWorkflowInput = builder
  .inputType('CreateWorkflowInput', {
    description: 'A workflow to make: what starts it, and its steps.',
    fields: definitionFields,
  })
  .validate(workflowDefinition);

const UpdateWorkflowInput = builder
  .inputType('UpdateWorkflowInput', {
    description: 'A workflow as it is to be from now on: all of it, as a new version.',
    fields: (t) => ({
      id: t.id({ required: true, description: 'Which workflow to start.' }),
      ...definitionFields(t),
    }),
  })
  .validate(updateWorkflowInput);

const WorkflowIdInput = builder.inputType('WorkflowIdInput', {
  description: 'Names one workflow of the center.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Which workflow to start.' }) }),
});

const ExecuteWorkflowInput = builder
  .inputType('ExecuteWorkflowInput', {
    description: 'A workflow to start now, and what to start it with.',
    fields: (t) => ({
      id: t.id({ required: true, description: 'Which workflow to start.' }),
      parameters: t.field({ type: 'JSON', description: 'What to start it with: an object.' }),
    }),
  })
  .validate(executeWorkflowInput);

const CancelExecutionInput = builder.inputType('CancelWorkflowExecutionInput', {
  description: 'An execution to end before it is done.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Which execution to end.' }) }),
});

const RetryExecutionInput = builder.inputType('RetryWorkflowExecutionInput', {
  description: 'An execution to try again.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The id of the execution.' }) }),
});

const DecideReviewInput = builder
  .inputType('DecideWorkflowReviewInput', {
    description: 'A decision on what an execution waits for.',
    fields: (t) => ({
      executionId: t.id({ required: true, description: 'The execution that waits for a person.' }),
      approved: t.boolean({ required: true, description: 'Whether it may go on.' }),
      reason: t.string({ description: 'Why, in words that are kept with the execution.' }),
    }),
  })
  .validate(decideReviewInput);

builder.mutationFields((t) => ({
  createWorkflow: t.field({
    type: Workflow,
    description: 'Makes a workflow in the current center.',
    authScopes: keepers,
    args: {
      input: t.arg({
        type: CreateWorkflowInput,
        required: true,
        description: 'What starts it, and its steps.',
      }),
    },
    resolve: (_, { input }, ctx) => createWorkflow(ctx, input),
  }),
  updateWorkflow: t.field({
    type: Workflow,
    description: 'Saves a workflow as a new version; executions under way keep the one they began with.',
    authScopes: keepers,
    args: {
      input: t.arg({
        type: UpdateWorkflowInput,
        required: true,
        description: 'Which workflow, and all that it shall be from now on.',
      }),
    },
    resolve: (_, { input: { id, ...definition } }, ctx) => updateWorkflow(ctx, id, definition),
  }),
  pauseWorkflow: t.field({
    type: Workflow,
    description: 'Keeps a workflow from being started; executions under way go on.',
    authScopes: keepers,
    args: {
      input: t.arg({ type: WorkflowIdInput, required: true, description: 'Which workflow of the center.' }),
    },
    resolve: (_, { input }, ctx) => pauseWorkflow(ctx, String(input.id)),
  }),
  resumeWorkflow: t.field({
    type: Workflow,
    description: 'Lets a paused workflow be started again.',
    authScopes: keepers,
    args: {
      input: t.arg({ type: WorkflowIdInput, required: true, description: 'Which workflow of the center.' }),
    },
    resolve: (_, { input }, ctx) => resumeWorkflow(ctx, String(input.id)),
  }),
  deleteWorkflow: t.field({
    type: Workflow,
    description: 'Takes a workflow away; its executions and their records stay.',
    authScopes: keepers,
    args: {
      input: t.arg({ type: WorkflowIdInput, required: true, description: 'Which workflow of the center.' }),
    },
    resolve: (_, { input }, ctx) => deleteWorkflow(ctx, String(input.id)),
  }),
  executeWorkflow: t.field({
    type: Execution,
    description: 'Starts a workflow by hand.',
    authScopes: keepers,
    args: {
      input: t.arg({ type: ExecuteWorkflowInput, required: true, description: 'Which, and with what.' }),
    },
    resolve: (_, { input }, ctx) => executeWorkflow(ctx, input),
  }),
  cancelWorkflowExecution: t.field({
    type: Execution,
    description: 'Ends an execution where it stands.',
    authScopes: keepers,
    args: {
      input: t.arg({ type: CancelExecutionInput, required: true, description: 'Which execution to end.' }),
    },
    resolve: (_, { input }, ctx) => cancelExecution(ctx, String(input.id)),
  }),
  retryWorkflowExecution: t.field({
    type: Execution,
    description:
      'Tries an execution that failed or was cancelled again, as a new one that begins with the step it ended at.',
    authScopes: keepers,
    args: {
      input: t.arg({ type: RetryExecutionInput, required: true, description: 'The execution to try again.' }),
    },
    resolve: (_, { input }, ctx) => retryExecution(ctx, String(input.id)),
  }),
  decideWorkflowReview: t.field({
    type: Execution,
    description: 'Decides the review an execution waits for; only the roles that the step names may.',
    authScopes: keepers,
    args: {
      input: t.arg({
        type: DecideReviewInput,
        required: true,
        description: 'Which execution, and how it goes on.',
      }),
    },
    resolve: (_, { input }, ctx) => decideReview(ctx, input),
  }),
}));
