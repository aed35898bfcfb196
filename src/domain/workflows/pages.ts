// Pages of keys, by owner.
import { type OwnedRows, pageKeys } from '../../db/owned-pages.ts';
import type { CursorWindow } from '../../lib/paging.ts';
import { type Context, ownRows } from '../context.ts';

const pagesOf =
  <Key>(rows: OwnedRows) =>
  (ctx: Context, owners: readonly string[], window: CursorWindow<Key>): Promise<Map<string, Key[]>> =>
    pageKeys(ownRows(ctx), rows, owners, window);

/** The version numbers of a workflow, newest first. */
export const versionNumbers = pagesOf<number>({
  table: 'workflow_version',
  owner: 'workflow_id',
  key: 'version',
  order: 'DESC',
});

/** The ids of a workflow's executions, newest first. */
export const executionIds = pagesOf<string>({
  table: 'workflow_execution',
  owner: 'workflow_id',
  key: 'id',
  order: 'DESC',
});

/** The positions of an execution's steps, in order. */
export const stepPositions = pagesOf<number>({
  table: 'workflow_step_run',
  owner: 'execution_id',
  key: 'position',
  order: 'ASC',
});
