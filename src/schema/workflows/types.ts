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

export const WorkflowType = storedEnum('WorkflowType', 'What starts a workflow.', {
  SCHEDULED: 'On a cron schedule.',
  MANUAL: 'Only `executeWorkflow` starts it.',
  EVENT: 'On events that match its pattern.',
});

export const WorkflowStatus = storedEnum('WorkflowStatus', 'Whether a workflow can start.', {
  ACTIVE: 'It starts as its trigger says, and manually.',
  PAUSED: 'Nothing starts it, not even a person.',
});

export const ExecutionStatus = storedEnum('ExecutionStatus', 'How far an execution has come.', {
  RUNNING: 'It is running or waiting for a point in time.',
  AWAITING_REVIEW: 'A step waits for a review.',
  COMPLETED: 'All steps are done.',
  FAILED: 'A step failed permanently.',
  CANCELLED: 'An administrator or instructor canceled it.',
});

storedEnum('StepStatus', 'How far a step of an execution has come.', {
  RUNNING: 'It is running, or is tried again after a failed attempt.',
  WAITING: 'Waiting for a point in time or for a review.',
  COMPLETED: 'The step is done; its output is stored.',
  FAILED: 'Failed permanently, together with the execution.',
  SKIPPED: 'Skipped by a condition.',
});

const WorkflowVersion = builder.prismaObject('WorkflowVersion', {
  description: 'The definition of a workflow from one change to the next; never changed.',
  fields: (t) => ({
    ...columns(t, {
      version: 'The number of the version, from 1.',
      steps: 'The steps in order, as the author wrote them.',
      parametersSchema: 'JSON Schema of the parameters; null if any are accepted.',
      createdById: 'Who saved it: `actor:` and a UUID; null for preinstalled workflows.',
      createdAt: 'When the version was saved, in UTC.',
    }),
  }),
});

export const StepRun = builder.prismaObject('WorkflowStepRun', {
  description: 'One step of one execution.',
  fields: (t) => ({
    ...columns(t, {
      position: 'The number of the step in the execution, from 0.',
      name: 'The name that the author gave the step.',
      kind: 'What the step does: template, http, condition, wait and so on.',
      status: 'How far the step has come.',
      attempts: 'The number of attempts so far, including the running one.',
      input: 'What the step works with, after its expressions were evaluated; null if it has none.',
      output: 'What later steps read of it; null until it is done, or if it has none.',
      error: 'Why it failed, or its last attempt did; null if it did not.',
      resumeAt: 'When it continues, in UTC; null unless it waits for a point in time.',
      startedAt: 'When the first attempt began, in UTC.',
      finishedAt: 'When the step ended, in UTC; null until then.',
    }),
    durationMs: t.int({
      nullable: true,
      description: 'Milliseconds from the first attempt to the end; null until then.',
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
  description: 'A question that a step asks a person before the execution continues.',
  fields: onlyProperties({
    step: ['String', 'The name of the step that asks.'],
    prompt: ['String', 'What the person has to decide, in the words of the author.'],
    roles: ['[String]', 'The roles of which one is needed to decide it, such as ADMIN.'],
    askedAt: ['DateTime', 'When the step asked, in UTC.'],
    forMe: ['Boolean', 'Whether the caller has one of these roles.'],
  }),
});

export const Execution = builder.prismaNode('WorkflowExecution', {
  id: { field: 'id', description: 'The id of the execution, `exe_…`.' },
  description: 'One run of a workflow.',
  authScopes: workflowEditors,
  fields: (t) => ({
    ...columns(t, {
      status: 'How far the execution has come.',
      version: 'The version of the workflow that it runs, whatever was saved since.',
      startedBy: 'Who or what started it: an actor id, `schedule`, or the id of an event.',
      parameters: 'The values that its steps read as `parameters`, an object.',
      position: 'The number of the current step, from 0.',
      error: 'Why the execution failed; null if it did not.',
      startedAt: 'When the execution was started, in UTC.',
      completedAt: 'When the execution ended, in UTC; null until then.',
      dpuId: 'The id of its decision record, `dpu_…`; null until it has ended.',
    }),
    evidenceLevel: t.field({
      type: EvidenceLevel,
      nullable: true,
      description: 'The evidence level of its decision record; null until it has ended.',
      select: { dpu: { select: { evidenceLevel: true } } },
      resolve: ({ dpu }) => dpu?.evidenceLevel ?? null,
    }),
    workflow: t.relation('workflow', { description: 'The workflow that it is a run of.' }),
    question: t.field({
      type: WorkflowQuestion,
      nullable: true,
      description: 'The review that it waits for; null if it waits for none.',
      select: {
        status: true,
        steps: { where: { status: 'WAITING', kind: 'human_review' }, take: 1 },
      },
      resolve: ({ status, steps: [step] }, _, ctx) =>
        status === 'AWAITING_REVIEW' && step ? questionOf(step, ctx) : null,
    }),
    steps: t.connection({
      type: StepRun,
      description: 'The steps that have begun so far, in order.',
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
  id: { field: 'id', description: 'The id of the workflow, `wf_…`.' },
  description: 'An ordered list of steps that runs on a schedule, by hand or on an event.',
  authScopes: workflowEditors,
  findUnique: (id) => ({ id, deletedAt: null }),
  fields: (t) => ({
    ...columns(t, {
      name: 'The name that people see.',
      description: 'What the workflow is for, in the words of the center; may be empty.',
      type: 'What starts the workflow.',
      status: 'Whether it can start.',
      vertical: 'The line of business of its center.',
      version: 'The number of the current version, from 1.',
      cron: 'SCHEDULED: when it starts, as five cron fields; null for other triggers.',
      timezone: 'SCHEDULED: the IANA time zone of the cron fields; null for other triggers.',
      eventPattern:
        'EVENT: the events that start it: a type, a prefix with `.*`, or `*`; null for other triggers.',
      lastRun: 'When its last execution began, in UTC; null before the first.',
      nextRunAt: 'SCHEDULED: when it starts next unless it is paused, in UTC; null for other triggers.',
      createdAt: 'When the workflow was created, in UTC.',
    }),
    nextRuns: t.field({
      type: ['DateTime'],
      description:
        'SCHEDULED: the next five times at which it starts, in UTC; empty while paused and for other triggers.',
      resolve: ({ status, cron, timezone, deletedAt }, _, ctx) =>
        status === 'ACTIVE' && !deletedAt && cron && timezone ? runsAfter(ctx.now, cron, timezone) : [],
    }),
    versions: t.connection({
      type: WorkflowVersion,
      description: 'All versions that were ever saved, newest first.',
      resolve: ({ id }, args, ctx, info) =>
        connectionOf({
          args,
          ...byNumber(id, ({ version }: { version: number }) => version),
          load: (window) => versionsOf(ctx, info, { owner: id, window, filter: {} }),
        }),
    }),
    executions: t.connection({
      type: Execution,
      description: 'The runs of this workflow, newest first.',
      resolve: ({ id }, args, ctx, info) =>
        connectionById('exe', args, (window) => executionsOf(ctx, info, { owner: id, window, filter: {} })),
    }),
  }),
});
