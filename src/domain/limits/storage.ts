import { LRUCache } from 'lru-cache';
import type { Config } from '../../config.ts';
import type { Queryable } from '../../db/database.ts';
import { DomainError } from '../../lib/errors.ts';
import { readTallies } from '../tallies/tally.ts';

/** How long this process relies on its own count before it reads what other processes have written. */
const FRESH_MS = 10_000;
const MOST_CENTERS = 10_000;
const MEBIBYTE = 1_048_576;

/** The bytes stored by a center, counted by the database (migration storage_quota) under this key. */
const storageKey = (centerId: number) => `storage:${centerId}`;

export interface StorageMeter {
  /** Throws QUOTA_EXCEEDED if the bytes do not fit. Call it before they are written, and outside a transaction. */
  reserve(centerId: number, bytes: number): Promise<void>;
  /** The same for automatic work without a caller to notify. */
  fits(centerId: number, bytes: number): Promise<boolean>;
}

interface Usage {
  bytes: number;
  readAt: number;
}

/**
 * The database counts the bytes actually written. Between two reads of that count, a process adds what it is about to write.
 */
export function makeStorageMeter({ storageQuotaMb }: Config, db: Queryable): StorageMeter {
  const known = new LRUCache<number, Usage>({ max: MOST_CENTERS });

  const pending = new Map<number, Promise<Usage>>();

  /** Callers that arrive while the count is read share the result and continue in order of arrival. */
  function read(centerId: number): Promise<Usage> {
    const key = storageKey(centerId);
    const reading =
      pending.get(centerId) ??
      readTallies(db, [key])
        .then((tallies) => {
          const usage = { bytes: tallies.get(key)!, readAt: Date.now() };
          known.set(centerId, usage);
          return usage;
        })
        .finally(() => pending.delete(centerId));
    pending.set(centerId, reading);
    return reading;
  }

  async function fits(centerId: number, bytes: number): Promise<boolean> {
    if (storageQuotaMb === 0) return true;
    const last = known.get(centerId);
    const usage = last && Date.now() - last.readAt < FRESH_MS ? last : await read(centerId);
    if (usage.bytes + bytes > storageQuotaMb * MEBIBYTE) return false;
    usage.bytes += bytes;
    return true;
  }

  return {
    fits,
    async reserve(centerId, bytes) {
      if (await fits(centerId, bytes)) return;
      throw new DomainError(
        'QUOTA_EXCEEDED',
        `The center has used up its storage of ${storageQuotaMb} MiB; ask the operator to raise it.`,
      );
    },
  };
}

/** The approximate size of a value as JSON, precise enough for a quota. */
export const sizeOf = (value: unknown): number => (value === undefined ? 0 : JSON.stringify(value).length);
