import type { Prisma, Tx } from '../../db/database.ts';
import type { Vertical } from '../../db/generated/prisma/enums.ts';
import { newId } from '../../lib/ids.ts';
import { isZone, type WorkflowDefinition } from './definition/workflow.ts';
import { nextRun } from './schedule.ts';

/** The columns that define what starts a workflow. Those of other types are empty. */
export function triggerColumns(definition: WorkflowDefinition, centerZone: string, now: Date) {
  const none = { cron: null, timezone: null, eventPattern: null, nextRunAt: null };
  switch (definition.type) {
    case 'MANUAL':
      return none;
    case 'EVENT':
      return { ...none, eventPattern: definition.eventPattern };
    case 'SCHEDULED': {
      const timezone = definition.timezone ?? centerZone;
      return { ...none, cron: definition.cron, timezone, nextRunAt: nextRun(definition.cron, timezone, now) };
    }
  }
}

/** What an execution copies from its workflow, regardless of later changes. */
export function versionColumns(definition: WorkflowDefinition) {
  return {
    steps: definition.steps as Prisma.InputJsonValue,
    ...(definition.parametersSchema && {
      parametersSchema: definition.parametersSchema as Prisma.InputJsonValue,
    }),
  };
}

/** The time zone of a center, used by schedules that do not name one. */
export async function centerZone(tx: Tx, centerId: number): Promise<string> {
  const center = await tx.center.findUniqueOrThrow({ where: { id: centerId }, select: { settings: true } });
  const zone = (center.settings as { timezone?: unknown } | null)?.timezone;
  return typeof zone === 'string' && isZone(zone) ? zone : 'UTC';
}

interface NewWorkflow {
  centerId: number;
  vertical: Vertical;
  definition: WorkflowDefinition;
  createdById: string | null;
  now: Date;
}

/** Inserts a workflow with its first version. */
export async function insertWorkflow(
  tx: Tx,
  { centerId, vertical, definition, createdById, now }: NewWorkflow,
) {
  const workflow = await tx.workflow.create({
    data: {
      id: newId('wf'),
      centerId,
      vertical,
      name: definition.name,
      description: definition.description ?? '',
      type: definition.type,
      ...triggerColumns(definition, await centerZone(tx, centerId), now),
      createdAt: now,
      updatedAt: now,
    },
  });
  await tx.workflowVersion.create({
    data: { workflowId: workflow.id, version: 1, ...versionColumns(definition), createdById, createdAt: now },
  });
  return workflow;
}
