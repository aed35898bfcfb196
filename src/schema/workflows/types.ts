import type * as enums from '../../db/generated/prisma/enums.ts';
import { runsAfter } from '../../domain/workflows/check.ts';
import { executionIds, stepPositions, versionNumbers } from '../../domain/workflows/pages.ts';
import { type Question, questionOf } from '../../domain/workflows/questions.ts';
import { makePageLoader } from '../batched-connection.ts';
import { builder } from '../builder.ts';
import { byNumber, connectionById, connectionOf } from '../connections.ts';
import { describedValues } from '../enum-values.ts';
import { EvidenceLevel, Vertical } from '../enums.ts';

/** Roles that may access workflows. */
export const workflowEditors = { access: { roles: ['ADMIN', 'INSTRUCTOR'], feature: 'workflows' } } as const;

export const WorkflowType = builder.enumType('WorkflowType', {
  description: 'The trigger of a workflow.',
  values: describedValues<enums.WorkflowType>({
    SCHEDULED: 'On a cron schedule.',
    MANUAL: 'Manually only.',
    EVENT: 'On events that match its pattern.',
  }),
});

export const WorkflowStatus = builder.enumType('WorkflowStatus', {
  description: 'The status of a workflow.',
  values: describedValues<enums.WorkflowStatus>({
    ACTIVE: 'Active.',
    PAUSED: 'Paused.',
  }),
});

export const ExecutionStatus = builder.enumType('ExecutionStatus', {
  description: 'The status of an execution.',
  values: describedValues<enums.ExecutionStatus>({
    RUNNING: 'It is running or waiting for a point in time.',
    AWAITING_REVIEW: 'A step waits for a review.',
    COMPLETED: 'All steps are done.',
    FAILED: 'A step failed permanently.',
    CANCELLED: 'It was canceled.',
  }),
});

const StepStatus = builder.enumType('StepStatus', {
  description: 'The status of a step.',
  values: describedValues<enums.StepStatus>({
    RUNNING: 'Running or retrying.',
    WAITING: 'Waiting for a point in time or for a review.',
    COMPLETED: 'Completed.',
    FAILED: 'Failed permanently, together with the execution.',
    SKIPPED: 'Skipped by a condition.',
  }),
});

const WorkflowVersion = builder.prismaObject('WorkflowVersion', {
  description: 'A version of a workflow; immutable.',
  fields: (t) => ({
    version: t.exposeInt('version', { description: 'The version number, from 1.' }),
    steps: t.expose('steps', { type: 'JSON', description: 'The steps in order.' }),
    parametersSchema: t.expose('parametersSchema', {
      type: 'JSON',
      nullable: true,
      description: 'JSON Schema of the parameters; null if any are accepted.',
    }),
    createdById: t.exposeString('createdById', {
      nullable: true,
      description: 'The author; null for preinstalled workflows.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was saved.' }),
  }),
});

export const StepRun = builder.prismaObject('WorkflowStepRun', {
  description: 'One step of one execution.',
  fields: (t) => ({
    position: t.exposeInt('position', { description: 'The index in the workflow, from 0.' }),
    name: t.exposeString('name', { description: 'The display name.' }),
    kind: t.exposeString('kind', {
      description: 'What the step does: template, http, condition, wait and so on.',
    }),
    status: t.expose('status', { type: StepStatus, description: 'The status.' }),
    attempts: t.exposeInt('attempts', { description: 'The number of attempts.' }),
    input: t.expose('input', { type: 'JSON', nullable: true, description: 'The input.' }),
    output: t.expose('output', { type: 'JSON', nullable: true, description: 'The output.' }),
    error: t.exposeString('error', { nullable: true, description: 'Why it or its last attempt failed.' }),
    resumeAt: t.expose('resumeAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it continues, if it waits for a point in time.',
    }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When the first attempt started.' }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the step ended, or null.',
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
  fields: (t) => ({
    step: t.exposeString('step', { description: 'The name of the step.' }),
    prompt: t.exposeString('prompt', { description: 'The question.' }),
    roles: t.exposeStringList('roles', { description: 'The roles that can decide it.' }),
    askedAt: t.expose('askedAt', { type: 'DateTime', description: 'When it was asked.' }),
    forMe: t.exposeBoolean('forMe', { description: 'Whether the caller can decide it.' }),
  }),
});

export const Execution = builder.prismaNode('WorkflowExecution', {
  id: { field: 'id', description: 'Globally unique id.' },
  description: 'One run of a workflow.',
  authScopes: workflowEditors,
  fields: (t) => ({
    status: t.expose('status', { type: ExecutionStatus, description: 'The status.' }),
    version: t.exposeInt('version', { description: 'The version of the workflow.' }),
    startedBy: t.exposeString('startedBy', {
      description: 'An actor id, `schedule`, or the id of an event.',
    }),
    parameters: t.expose('parameters', { type: 'JSON', description: 'The parameters.' }),
    position: t.exposeInt('position', { description: 'The current step, from 0.' }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Why it failed, or null.',
    }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When its first step began.' }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the execution ended, or null.',
    }),
    dpuId: t.exposeString('dpuId', {
      nullable: true,
      description: 'The decision record of the finished execution.',
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
    name: t.exposeString('name', { description: 'The display name.' }),
    description: t.exposeString('description', { description: 'A description for people.' }),
    type: t.expose('type', { type: WorkflowType, description: 'The trigger.' }),
    status: t.expose('status', { type: WorkflowStatus, description: 'Whether it can be started.' }),
    vertical: t.expose('vertical', { type: Vertical, description: 'The vertical of its center.' }),
    version: t.exposeInt('version', { description: 'The current version.' }),
    cron: t.exposeString('cron', { nullable: true, description: 'SCHEDULED: five cron fields.' }),
    timezone: t.exposeString('timezone', {
      nullable: true,
      description: 'SCHEDULED: the time zone of the schedule.',
    }),
    eventPattern: t.exposeString('eventPattern', {
      nullable: true,
      description: 'EVENT: the event type, a prefix with `.*`, or `*`.',
    }),
    lastRun: t.expose('lastRun', {
      type: 'DateTime',
      nullable: true,
      description: 'When its last execution began.',
    }),
    nextRunAt: t.expose('nextRunAt', {
      type: 'DateTime',
      nullable: true,
      description: 'SCHEDULED: when it runs next.',
    }),
    nextRuns: t.field({
      type: ['DateTime'],
      description: 'SCHEDULED: the next five runs; empty while paused.',
      resolve: ({ status, cron, timezone, deletedAt }, _, ctx) =>
        status === 'ACTIVE' && !deletedAt && cron && timezone ? runsAfter(ctx.now, cron, timezone) : [],
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
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
