import type * as enums from '../../db/generated/prisma/enums.ts';
import { runsAfter } from '../../domain/workflows/check.ts';
import { executionIds, stepPositions, versionNumbers } from '../../domain/workflows/pages.ts';
import { pagesTogether } from '../batched-connection.ts';
import { builder } from '../builder.ts';
import { keyedBy } from '../cursors.ts';
import { worded } from '../enum-values.ts';
import { EvidenceLevel, Vertical } from '../enums.ts';

/** Who has to do with workflows. */
export const keepers = { access: { roles: ['ADMIN', 'INSTRUCTOR'] } } as const;

export const WorkflowType = builder.enumType('WorkflowType', {
  description: 'What starts a workflow besides people: a schedule, an event, or nothing.',
  values: worded<enums.WorkflowType>({
    SCHEDULED: 'It starts at the times of a cron schedule.',
    MANUAL: 'Only people start it.',
    EVENT: 'It starts when an event of its pattern happens.',
  }),
});

export const WorkflowStatus = builder.enumType('WorkflowStatus', {
  description: 'Whether a workflow can be started.',
  values: worded<enums.WorkflowStatus>({
    ACTIVE: 'It can be started, and starts by itself where it should.',
    PAUSED: 'Nothing starts it until it is resumed.',
  }),
});

export const ExecutionStatus = builder.enumType('ExecutionStatus', {
  description: 'Where an execution stands.',
  values: worded<enums.ExecutionStatus>({
    RUNNING: 'Its steps are being carried out, or one of them waits for a time.',
    AWAITING_REVIEW: 'A step waits for the decision of a person.',
    COMPLETED: 'All steps are done.',
    FAILED: 'A step failed for good.',
    CANCELLED: 'Somebody ended it before it was done.',
  }),
});

const StepStatus = builder.enumType('StepStatus', {
  description: 'Where a step of an execution stands.',
  values: worded<enums.StepStatus>({
    RUNNING: 'It is being carried out, or tried again.',
    WAITING: 'It waits for a time, or for the decision of a person.',
    COMPLETED: 'It did what it should.',
    FAILED: 'It failed for good, and the execution with it.',
    SKIPPED: 'A condition before it said so.',
  }),
});

const WorkflowVersion = builder.prismaObject('WorkflowVersion', {
  description: 'What a workflow did at one of its versions; never changed.',
  fields: (t) => ({
    version: t.exposeInt('version', { description: 'Its number, from 1.' }),
    steps: t.expose('steps', { type: 'JSON', description: 'The steps in their order, as they were saved.' }),
    parametersSchema: t.expose('parametersSchema', {
      type: 'JSON',
      nullable: true,
      description: 'What it may be started with, as a JSON schema; null when anything goes.',
    }),
    createdById: t.exposeString('createdById', {
      nullable: true,
      description: 'Who saved it; null for what a center began with.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was saved.' }),
  }),
});

export const StepRun = builder.prismaObject('WorkflowStepRun', {
  description: 'One step of one execution.',
  fields: (t) => ({
    position: t.exposeInt('position', { description: 'Its place in the workflow, from 0.' }),
    name: t.exposeString('name', { description: 'What it is called.' }),
    kind: t.exposeString('kind', {
      description: 'What the step does: template, http, condition, wait and so on.',
    }),
    status: t.expose('status', { type: StepStatus, description: 'Where it stands.' }),
    attempts: t.exposeInt('attempts', { description: 'How often it was tried.' }),
    input: t.expose('input', { type: 'JSON', nullable: true, description: 'What it worked with.' }),
    output: t.expose('output', { type: 'JSON', nullable: true, description: 'What came of it.' }),
    error: t.exposeString('error', { nullable: true, description: 'Why it, or its last try, failed.' }),
    resumeAt: t.expose('resumeAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it goes on, if it waits for a time.',
    }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When it was first tried.' }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the step ended; null before.',
    }),
    durationMs: t.int({
      nullable: true,
      description: 'Milliseconds from its first try to its end; null until then.',
      select: { startedAt: true, finishedAt: true },
      resolve: ({ startedAt, finishedAt }) =>
        finishedAt ? finishedAt.getTime() - startedAt.getTime() : null,
    }),
  }),
});

const stepsOf = pagesTogether({
  keys: stepPositions,
  rows: (ctx, selection, pages) =>
    ctx.db.workflowStepRun.findMany({
      ...selection,
      where: { OR: pages.map(([executionId, positions]) => ({ executionId, position: { in: positions } })) },
    }),
  ownerOf: ({ executionId }) => executionId,
  keyOf: ({ position }) => position,
});

export const Execution = builder.prismaNode('WorkflowExecution', {
  id: { field: 'id', description: 'Its id, unique among everything there is.' },
  description: 'One run of a workflow.',
  authScopes: keepers,
  fields: (t) => ({
    status: t.expose('status', { type: ExecutionStatus, description: 'Where it stands.' }),
    version: t.exposeInt('version', { description: 'The version of the workflow that it runs.' }),
    startedBy: t.exposeString('startedBy', {
      description: 'An actor id, `schedule`, or the id of an event.',
    }),
    parameters: t.expose('parameters', { type: 'JSON', description: 'What it was started with.' }),
    position: t.exposeInt('position', { description: 'The step it is at, from 0.' }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Why it failed, in words; null where it did not.',
    }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When its first step began.' }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the execution ended; null before.',
    }),
    dpuId: t.exposeString('dpuId', {
      nullable: true,
      description: 'The decision record that sums it up, once it has ended.',
    }),
    evidenceLevel: t.field({
      type: EvidenceLevel,
      nullable: true,
      description: 'How far its decision record has come; null until there is one.',
      select: { dpu: { select: { evidenceLevel: true } } },
      resolve: ({ dpu }) => dpu?.evidenceLevel ?? null,
    }),
    workflow: t.relation('workflow', { description: 'What it is a run of.' }),
    steps: t.prismaConnection({
      type: StepRun,
      cursor: 'executionId_position',
      extensions: keyedBy('exe', 'number'),
      description: 'Its steps so far, in order.',
      resolve: (query, { id }, filter, ctx, info) => stepsOf(ctx, info, { owner: id, query, filter }),
    }),
  }),
});

const versionsOf = pagesTogether({
  keys: versionNumbers,
  rows: (ctx, selection, pages) =>
    ctx.db.workflowVersion.findMany({
      ...selection,
      where: { OR: pages.map(([workflowId, versions]) => ({ workflowId, version: { in: versions } })) },
    }),
  ownerOf: ({ workflowId }) => workflowId,
  keyOf: ({ version }) => version,
});

const executionsOf = pagesTogether({
  keys: executionIds,
  rows: (ctx, selection, pages) =>
    ctx.db.workflowExecution.findMany({
      ...selection,
      where: { id: { in: pages.flatMap(([, ids]) => ids) } },
    }),
  keyOf: ({ id }) => id,
});

export const Workflow = builder.prismaNode('Workflow', {
  id: { field: 'id', description: 'Its id, unique among everything there is.' },
  description: 'An ordered list of steps that runs on a schedule, by hand or on an event.',
  authScopes: keepers,
  findUnique: (id) => ({ id, deletedAt: null }),
  fields: (t) => ({
    name: t.exposeString('name', { description: 'What it is called.' }),
    description: t.exposeString('description', { description: 'What it is for, as a note to people.' }),
    type: t.expose('type', { type: WorkflowType, description: 'What starts it besides people.' }),
    status: t.expose('status', { type: WorkflowStatus, description: 'Whether it can be started.' }),
    vertical: t.expose('vertical', { type: Vertical, description: 'The line of business of its center.' }),
    version: t.exposeInt('version', { description: 'The version that the next execution runs.' }),
    cron: t.exposeString('cron', { nullable: true, description: 'SCHEDULED: when, as five cron fields.' }),
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
      description: 'SCHEDULED: the next five times it runs; none while it is paused.',
      resolve: ({ status, cron, timezone, deletedAt }, _, ctx) =>
        status === 'ACTIVE' && !deletedAt && cron && timezone ? runsAfter(ctx.now, cron, timezone) : [],
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    versions: t.prismaConnection({
      type: WorkflowVersion,
      cursor: 'workflowId_version',
      extensions: keyedBy('wf', 'number'),
      description: 'Its versions, newest first.',
      resolve: (query, { id }, filter, ctx, info) => versionsOf(ctx, info, { owner: id, query, filter }),
    }),
    executions: t.prismaConnection({
      type: Execution,
      cursor: 'id',
      extensions: keyedBy('exe'),
      description: 'Its executions, newest first.',
      resolve: (query, { id }, filter, ctx, info) => executionsOf(ctx, info, { owner: id, query, filter }),
    }),
  }),
});
