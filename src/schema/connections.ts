import { type DefaultConnectionArguments, resolveCursorConnection } from '@pothos/plugin-relay';
import { validationError } from '../lib/errors.ts';
import type { CursorWindow } from '../lib/paging.ts';
import { queryLimits } from './query-limits.ts';

const CURSOR = /^[a-z]+_[0-9a-z]{1,64}$/;

/** A Relay connection over rows with sortable ids that a domain function loads window by window. */
export function connectionById<T extends { id: string }>(
  args: DefaultConnectionArguments,
  load: (window: CursorWindow) => Promise<T[]>,
) {
  for (const name of ['after', 'before'] as const) {
    const cursor = args[name];
    if (cursor != null && !CURSOR.test(cursor)) {
      throw validationError([{ path: name, message: 'is no cursor of this list' }]);
    }
  }
  return resolveCursorConnection(
    {
      args,
      defaultSize: queryLimits.defaultPageSize,
      maxSize: queryLimits.pageSize,
      toCursor: ({ id }: T) => id,
    },
    load,
  );
}
