import type { Tx } from '../../db/database.ts';
import type { Vertical } from '../../db/generated/prisma/enums.ts';
import { type WorkflowDefinition, workflowDefinition } from './definition/workflow.ts';
import { insertWorkflow } from './insert.ts';
import { startersByVertical } from './starters/by-vertical.ts';

/** The initial workflows of a new center of this vertical. */
export function starterWorkflows(vertical: Vertical): WorkflowDefinition[] {
  return startersByVertical[vertical].map((starter) => workflowDefinition.parse(starter));
}

/** Adds the starter workflows in the transaction that creates the center. */
export async function createStarterWorkflows(
  tx: Tx,
  centerId: number,
  vertical: Vertical,
  now: Date,
): Promise<void> {
  for (const definition of starterWorkflows(vertical)) {
    await insertWorkflow(tx, { centerId, vertical, definition, createdById: null, now });
  }
}
