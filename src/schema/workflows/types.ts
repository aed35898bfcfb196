import { runsAfter } from '../../domain/workflows/check.ts';
import { executionIds, stepPositions, versionNumbers } from '../../domain/workflows/pages.ts';
import { type Question, questionOf } from '../../domain/workflows/questions.ts';
import { makePageLoader } from '../batched-connection.ts';
import { builder } from '../builder.ts';
import { byNumber, connectionById, connectionOf } from '../connections.ts';
import { storedEnum } from '../enum-types.ts';
import { EvidenceLevel } from '../enums.ts';
import { columns, onlyProperties } from '../exposed.ts';

/** Roles that may access workflows. */
export const workflowEditors = { access: { roles: ['ADMIN', 'INSTRUCTOR'], feature: 'workflows' } } as const;

export const WorkflowType = storedEnum('WorkflowType', 'The trigger of a workflow.', {
  SCHEDULED: 'On a cron schedule.',
  MANUAL: 'Manually only.',
  EVENT: 'On events that match its pattern.',
});

export const WorkflowStatus = storedEnum('WorkflowStatus', 'The status of a workflow.', {
  ACTIVE: 'Active.',
  PAUSED: 'Paused.',
});

export const ExecutionStatus = storedEnum('ExecutionStatus', 'The status of an execution.', {
  RUNNING: 'It is running or waiting for a point in time.',
  AWAITING_REVIEW: 'A step waits for a review.',
  COMPLETED: 'All steps are done.',
  FAILED: 'A step failed permanently.',
  CANCELLED: 'It was canceled.',
});

storedEnum('StepStatus', 'The status of a step.', {
  RUNNING: 'Running or retrying.',
  WAITING: 'Waiting for a point in time or for a review.',
  COMPLETED: 'Completed.',
  FAILED: 'Failed permanently, together with the execution.',
  SKIPPED: 'Skipped by a condition.',
});

const WorkflowVersion = builder.prismaObject('WorkflowVersion', {
  description: 'A version of a workflow; immutable.',
  fields: (t) => ({
    ...columns(t, {
      version: 'The version number, from 1.',
      steps: 'The steps in order.',
      parametersSchema: 'JSON Schema of the parameters; null if any are accepted.',
      createdById: 'The author; null for preinstalled workflows.',
      createdAt: 'When it was saved.',
    }),
  }),
});

export const StepRun = builder.prismaObject('WorkflowStepRun', {
  description: 'One step of one execution.',
  fields: (t) => ({
    ...columns(t, {
      position: 'The index in the workflow, from 0.',
      name: 'The display name.',
      kind: 'What the step does: template, http, condition, wait and so on.',
      status: 'The status.',
      attempts: 'The number of attempts.',
      input: 'The input.',
      output: 'The output.',
      error: 'Why it or its last attempt failed.',
      resumeAt: 'When it continues, if it waits for a point in time.',
      startedAt: 'When the first attempt started.',
      finishedAt: 'When the step ended, or null.',
    }),
    durationMs: t.int({
      nullable: true,
      description: 'Milliseconds from the first attempt to the end, or null.',
      select: { startedAt: true, finishedAt: true },
      resolve: ({ startedAt, finishedAt }) =>
        finishedAt ? finishedAt.getTime() - startedAt.getTime() : null,
    }),
  }),
});

const stepsOf = makePageLoader({
  keys: stepPositions,
  rows: (ctx, selection, pages) =>
    ctx.db.workflowStepRun.findMany({
      ...selection,
      where: { OR: pages.map(([executionId, positions]) => ({ executionId, position: { in: positions } })) },
    }),
  ownerOf: ({ executionId }) => executionId,
  keyOf: ({ position }) => position,
});

const WorkflowQuestion = builder.objectRef<Question>('WorkflowQuestion').implement({
  description: 'A pending review of an execution.',
  fields: onlyProperties({
    step: ['String', 'The name of the step.'],
    prompt: ['String', 'The question.'],
    roles: ['[String]', 'The roles that can decide it.'],
    askedAt: ['DateTime', 'When it was asked.'],
    forMe: ['Boolean', 'Whether the caller can decide it.'],
  }),
});

export const Execution = builder.prismaNode('WorkflowExecution', {
  id: { field: 'id', description: 'Globally unique id.' },
  description: 'One run of a workflow.',
  authScopes: workflowEditors,
  fields: (t) => ({
    ...columns(t, {
      status: 'The status.',
      version: 'The version of the workflow.',
      startedBy: 'An actor id, `schedule`, or the id of an event.',
      parameters: 'The parameters.',
      position: 'The current step, from 0.',
      error: 'Why it failed, or null.',
      startedAt: 'When its first step began.',
      completedAt: 'When the execution ended, or null.',
      dpuId: 'The decision record of the finished execution.',
    }),
    evidenceLevel: t.field({
      type: EvidenceLevel,
      nullable: true,
      description: 'The level of its decision record, or null.',
      select: { dpu: { select: { evidenceLevel: true } } },
      resolve: ({ dpu }) => dpu?.evidenceLevel ?? null,
    }),
    workflow: t.relation('workflow', { description: 'The workflow.' }),
    question: t.field({
      type: WorkflowQuestion,
      nullable: true,
      description: 'The pending review, or null.',
      select: {
        status: true,
        steps: { where: { status: 'WAITING', kind: 'human_review' }, take: 1 },
      },
      resolve: ({ status, steps: [step] }, _, ctx) =>
        status === 'AWAITING_REVIEW' && step ? questionOf(step, ctx) : null,
    }),
    steps: t.connection({
      type: StepRun,
      description: 'Its steps so far, in order.',
      resolve: ({ id }, args, ctx, info) =>
        connectionOf({
          args,
          ...byNumber(id, ({ position }: { position: number }) => position),
          load: (window) => stepsOf(ctx, info, { owner: id, window, filter: {} }),
        }),
    }),
  }),
});

const versionsOf = makePageLoader({
  keys: versionNumbers,
  rows: (ctx, selection, pages) =>
    ctx.db.workflowVersion.findMany({
      ...selection,
      where: { OR: pages.map(([workflowId, versions]) => ({ workflowId, version: { in: versions } })) },
    }),
  ownerOf: ({ workflowId }) => workflowId,
  keyOf: ({ version }) => version,
});

const executionsOf = makePageLoader({
  keys: executionIds,
  rows: (ctx, selection, pages) =>
    ctx.db.workflowExecution.findMany({
      ...selection,
      where: { id: { in: pages.flatMap(([, ids]) => ids) } },
    }),
  keyOf: ({ id }) => id,
});

export const Workflow = builder.prismaNode('Workflow', {
  id: { field: 'id', description: 'Globally unique id.' },
  description: 'An ordered list of steps that runs on a schedule, by hand or on an event.',
  authScopes: workflowEditors,
  findUnique: (id) => ({ id, deletedAt: null }),
  fields: (t) => ({
    ...columns(t, {
      name: 'The display name.',
      description: 'A description for people.',
      type: 'The trigger.',
      status: 'Whether it can be started.',
      vertical: 'The vertical of its center.',
      version: 'The current version.',
      cron: 'SCHEDULED: five cron fields.',
      timezone: 'SCHEDULED: the time zone of the schedule.',
      eventPattern: 'EVENT: the event type, a prefix with `.*`, or `*`.',
      lastRun: 'When its last execution began.',
      nextRunAt: 'SCHEDULED: when it runs next.',
      createdAt: 'When it was created.',
    }),
    nextRuns: t.field({
      type: ['DateTime'],
      description: 'SCHEDULED: the next five runs; empty while paused.',
      resolve: ({ status, cron, timezone, deletedAt }, _, ctx) =>
        status === 'ACTIVE' && !deletedAt && cron && timezone ? runsAfter(ctx.now, cron, timezone) : [],
    }),
    versions: t.connection({
      type: WorkflowVersion,
      description: 'Its versions, newest first.',
      resolve: ({ id }, args, ctx, info) =>
        connectionOf({
          args,
          ...byNumber(id, ({ version }: { version: number }) => version),
          load: (window) => versionsOf(ctx, info, { owner: id, window, filter: {} }),
        }),
    }),
    executions: t.connection({
      type: Execution,
      description: 'Its executions, newest first.',
      resolve: ({ id }, args, ctx, info) =>
        connectionById('exe', args, (window) => executionsOf(ctx, info, { owner: id, window, filter: {} })),
    }),
  }),
});
