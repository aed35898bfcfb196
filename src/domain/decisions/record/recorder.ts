import type { Bus } from '../../../db/bus.ts';
import type { Database } from '../../../db/database.ts';
import { isDatabaseDown, isTimeout, isUniqueViolation } from '../../../db/faults.ts';
import { makeGroupCommit } from '../../../lib/group-commit.ts';
import { announceDecisions } from '../../announcements.ts';
import { IdempotencyLeaseLost } from '../../idempotency/claim.ts';
import { SealUnavailable, sealingTransaction } from '../../ledger/sealer/transaction.ts';
import type { EventDraft, Recorder } from '../draft.ts';
import { type InsertResult, type InsertResults, insertEvents, insertEventsIn } from './insert-events.ts';

const MOST_ITEMS = 128;
/** Centers whose journal is locked, all waiting concurrently. */
const MOST_ALONE = 2;
const ATTEMPTS = 3;

export function makeRecorder(db: Database, bus: Bus): Recorder {
  const group = makeGroupCommit<EventDraft, boolean>({
    most: MOST_ITEMS,
    alone: MOST_ALONE,
    async commitTogether(portions) {
      const drafts = portions.flatMap(({ items }) => items);
      const own = db.declared(portions.map(({ key }) => key));
      const results = await insertAndNotify(bus, drafts, () => insertEvents(own, drafts));
      return portions.map(({ items }) =>
        items.some(({ event }) => results.get(event.id) === 'held')
          ? 'held'
          : items.map(({ event }) => outcomeOf(results.get(event.id)!)),
      );
    },
    async commitAlone({ key, items }) {
      const results = await insertAndNotify(bus, items, () =>
        sealingTransaction(db.pool, [key], async (client) => ({
          result: await insertEventsIn(client, items),
          writes: [],
        })),
      );
      return items.map(({ event }) => outcomeOf(results.get(event.id)!));
    },
    meetsAll: (error) => error instanceof SealUnavailable || isDatabaseDown(error) || isTimeout(error),
    closed: () => new SealUnavailable(new Error('closing')),
  });
  return { record: (draft) => group.submit(draft.centerId, draft), close: () => group.close() };
}

const outcomeOf = (result: InsertResult) =>
  result === 'lost' ? new IdempotencyLeaseLost() : result === 'written';

async function insertAndNotify(
  bus: Bus,
  drafts: EventDraft[],
  insert: () => Promise<InsertResults>,
): Promise<InsertResults> {
  const results = await retryOnConflict(insert);
  const written = drafts.filter(({ event }) => results.get(event.id) === 'written');
  for (const [centerId, fresh] of Map.groupBy(written, (draft) => draft.centerId)) {
    announceDecisions(
      bus,
      centerId,
      fresh.map(({ event }) => event.id),
    );
  }
  return results;
}

/** Another transaction may have inserted an event with the same key since the statement began. The retry sees it. */
async function retryOnConflict(insert: () => Promise<InsertResults>): Promise<InsertResults> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await insert();
    } catch (error) {
      if (attempt === ATTEMPTS || !isUniqueViolation(error)) throw error;
    }
  }
}
