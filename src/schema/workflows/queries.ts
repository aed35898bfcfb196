import type * as enums from '../../db/generated/prisma/enums.ts';
import { requireWorkflow } from '../../domain/workflows/manage.ts';
import { type Progress, watchExecution } from '../../domain/workflows/progress.ts';
import { questionsFor } from '../../domain/workflows/questions.ts';
import { MOST_COUNTED, newestFirst, oldestFirst } from '../../lib/paging.ts';
import { builder } from '../builder.ts';
import { rowsById } from '../connections.ts';
import { counted } from '../paging.ts';
import {
  Execution,
  ExecutionStatus,
  StepRun,
  Workflow,
  WorkflowStatus,
  WorkflowType,
  workflowEditors,
} from './types.ts';

const chosenWorkflows = (type?: enums.WorkflowType | null, status?: enums.WorkflowStatus | null) => ({
  deletedAt: null,
  ...(type && { type }),
  ...(status && { status }),
});

const chosenExecutions = (workflowId?: string | null, status?: enums.ExecutionStatus | null) => ({
  ...(workflowId != null && { workflowId: String(workflowId) }),
  ...(status && { status }),
});

builder.queryFields((t) => ({
  workflow: t.prismaField({
    type: Workflow,
    nullable: true,
    description: 'One workflow of the center.',
    authScopes: workflowEditors,
    args: { id: t.arg.id({ required: true, description: 'The id of the workflow, `wf_…`.' }) },
    resolve: (query, _, { id }, ctx) =>
      ctx.db.workflow.findUnique({ ...query, where: { id: String(id), deletedAt: null } }),
  }),
  workflows: t.connection(
    {
      type: Workflow,
      description: "The center's workflows, oldest first.",
      extensions: { fromReplica: true },
      authScopes: workflowEditors,
      args: {
        type: t.arg({ type: WorkflowType, description: 'Only workflows with this trigger.' }),
        status: t.arg({ type: WorkflowStatus, description: 'Only workflows with this status.' }),
      },
      resolve: async (_, { type, status, ...args }, ctx, info) => ({
        ...(await rowsById('wf', { args, ctx, info }, (window, query) =>
          ctx.db.workflow.findMany({ ...query, ...oldestFirst(window, chosenWorkflows(type, status)) }),
        )),
        totalCount: () => ctx.db.workflow.count({ where: chosenWorkflows(type, status), take: MOST_COUNTED }),
      }),
    },
    counted(),
  ),
  workflowExecutions: t.connection(
    {
      type: Execution,
      description: 'The executions of one workflow, or of all, newest first.',
      extensions: { fromReplica: true },
      authScopes: workflowEditors,
      args: {
        workflowId: t.arg.id({ description: 'Only executions of this workflow.' }),
        status: t.arg({ type: ExecutionStatus, description: 'Only executions with this status.' }),
      },
      resolve: async (_, { workflowId, status, ...args }, ctx, info) => {
        if (workflowId != null) await requireWorkflow(ctx, String(workflowId));
        const where = chosenExecutions(workflowId, status);
        return {
          ...(await rowsById('exe', { args, ctx, info }, (window, query) =>
            ctx.db.workflowExecution.findMany({ ...query, ...newestFirst(window, where) }),
          )),
          totalCount: () => ctx.db.workflowExecution.count({ where, take: MOST_COUNTED }),
        };
      },
    },
    counted(),
  ),
  workflowQuestions: t.connection(
    {
      type: Execution,
      description: 'The executions with a review that the caller can decide, newest first.',
      authScopes: workflowEditors,
      resolve: async (_, args, ctx, info) => ({
        ...(await rowsById('exe', { args, ctx, info }, (window, query) =>
          ctx.db.workflowExecution.findMany({ ...query, ...newestFirst(window, questionsFor(ctx)) }),
        )),
        totalCount: () => ctx.db.workflowExecution.count({ where: questionsFor(ctx), take: MOST_COUNTED }),
      }),
    },
    counted(),
  ),
  workflowExecution: t.prismaField({
    type: Execution,
    nullable: true,
    description: 'One execution of a workflow of the center.',
    authScopes: workflowEditors,
    args: { id: t.arg.id({ required: true, description: 'The id of the execution, `exe_…`.' }) },
    resolve: (query, _, { id }, ctx) =>
      ctx.db.workflowExecution.findUnique({ ...query, where: { id: String(id) } }),
  }),
}));

const ExecutionProgress = builder.objectRef<Progress>('WorkflowExecutionProgress').implement({
  description: 'A progress message of an execution.',
  fields: (t) => ({
    execution: t.prismaField({
      type: Execution,
      nullable: true,
      description: 'The execution as it is now; null if it was deleted.',
      resolve: (query, { executionId }, _, ctx) =>
        ctx.db.workflowExecution.findUnique({ ...query, where: { id: executionId } }),
    }),
    step: t.prismaField({
      type: StepRun,
      nullable: true,
      description: 'The changed step; null if the execution itself changed.',
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
    description: 'The steps of an execution. The stream ends with the execution.',
    authScopes: workflowEditors,
    args: { id: t.arg.id({ required: true, description: 'The id of the execution to follow, `exe_…`.' }) },
    subscribe: (_, { id }, ctx) => watchExecution(ctx, String(id)),
    resolve: (progress: Progress) => progress,
  }),
);
