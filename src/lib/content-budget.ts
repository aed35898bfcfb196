// The memory that requests and jobs of this process hold in what they read, so that no center can exhaust it for all.
//
// A request opens a hold and keeps what it reads until its answer has been sent. A hold has two ways to grow:
//
//   reserve   for content of decisions, whose size is known before it is read. If the process or the center's share is full, it
//             waits until others release theirs, in order of arrival, and fails after MAX_WAIT_MS. A center that waits for its
//             own share does not delay the others.
//   count     for everything else, row by row as it arrives, and for the part of an answer that is larger than what was read.
//             Such a statement holds a database connection, and such an answer holds memory, so they never wait: they fail at
//             once when the request has read too much, or when there is no room. Small requests always have room, so
//             that a process full of content still answers them.
//
// A crash leaves nothing behind: the budget is that of one process.
import { DomainError } from './errors.ts';
import type { RowMeter } from './row-meter.ts';

const MEBIBYTE = 1_048_576;
const MAX_CONTENT_MB = 16;
/** Content of decisions that one request may read. */
const MAX_CONTENT_BYTES = MAX_CONTENT_MB * MEBIBYTE;
/** Everything that one request may read, its content included. */
const MAX_READ_BYTES = 1.5 * MAX_CONTENT_BYTES;
/** What a request may always read, however full the process is. */
const SMALL_BYTES = 65_536;
/** The part of the process that one center may hold. */
const CENTER_SHARE = 1 / 4;
const MAX_WAIT_MS = 5_000;

/** What one request or job holds. */
export interface ContentHold extends RowMeter {
  /** Announces content of this size, once for each id. The error says that the request will read too much. */
  expect(id: string, bytes: number): Error | null;
  /** Waits for room for content of this size, and holds it. Returns a function that corrects the size once it was read. */
  reserve(bytes: number): Promise<(actual: number) => void>;
  /** Bytes held now. */
  size(): number;
  /** Releases everything for the next event of a subscription, which counts by itself. */
  restart(): void;
  /** Ends what waits and refuses more than a little, because the caller has gone away. What was read stays until the release. */
  abandon(): void;
  /** Abandons and releases everything. */
  release(): void;
}

export interface ContentBudget {
  /** A hold for a caller of this center, or of none. */
  open(centerId: number | null): ContentHold;
  figures(): ContentFigures;
}

export interface ContentFigures {
  /** Bytes held now. */
  held: number;
  limit: number;
  /** Reservations that wait for room. */
  waiting: number;
}

interface BudgetEvents {
  /** A request reads more than one request may. */
  tooLarge(): void;
  /** A request has to wait for room, or gets none. `held` is what its center holds. */
  full(center: { centerId: number | null; held: number }): void;
}

interface Waiting {
  centerId: number | null;
  bytes: number;
  admit(): void;
  refuse(): void;
}

export function makeContentBudget(megabytes: number, events: BudgetEvents): ContentBudget {
  const limit = megabytes * MEBIBYTE;
  const share = limit * CENTER_SHARE;
  const ofCenters = new Map<number | null, number>();
  const queue = new Set<Waiting>();
  let held = 0;

  const fits = (centerId: number | null, bytes: number) =>
    held + bytes <= limit && (ofCenters.get(centerId) ?? 0) + bytes <= share;

  function add(centerId: number | null, bytes: number): void {
    held += bytes;
    const own = (ofCenters.get(centerId) ?? 0) + bytes;
    if (own > 0) ofCenters.set(centerId, own);
    else ofCenters.delete(centerId);
    if (bytes < 0) admitWaiting();
  }

  /** In order of arrival, except that a center whose share is full lets the others pass. */
  function admitWaiting(): void {
    const full = new Set<number | null>();
    for (const each of queue) {
      if (full.has(each.centerId)) continue;
      if (fits(each.centerId, each.bytes)) each.admit();
      else full.add(each.centerId);
    }
  }

  const noteFull = (centerId: number | null) => events.full({ centerId, held: ofCenters.get(centerId) ?? 0 });

  function tooLarge(): DomainError {
    events.tooLarge();
    return new DomainError(
      'RESPONSE_TOO_LARGE',
      `The request reads more than ${MAX_CONTENT_MB} MiB; ask for fewer items or fields.`,
    );
  }

  const waits = (centerId: number | null) => [...queue].some((each) => each.centerId === centerId);

  return {
    figures: () => ({ held, limit, waiting: queue.size }),
    open(centerId) {
      const waiting = new Set<Waiting>();
      let own = 0;
      let content = 0;
      /** Counts releases: what was reserved before one must not be corrected after it. */
      let releases = 0;
      /** Read after the caller has gone away. */
      let late = 0;
      let isOver = false;
      /** The error of a request that has read too much. */
      let usedUp: DomainError | null = null;
      const expected = new Set<string>();
      let expectedBytes = 0;

      function grow(bytes: number): void {
        own += bytes;
        add(centerId, bytes);
      }

      function wait(bytes: number): Promise<void> {
        noteFull(centerId);
        return new Promise((resolve, reject) => {
          const end = () => {
            clearTimeout(timer);
            queue.delete(entry);
            waiting.delete(entry);
          };
          const entry = {
            centerId,
            bytes,
            admit() {
              end();
              grow(bytes);
              resolve();
            },
            refuse() {
              end();
              reject(noRoom());
            },
          };
          const timer = setTimeout(entry.refuse, MAX_WAIT_MS);
          queue.add(entry);
          waiting.add(entry);
        });
      }

      async function take(bytes: number): Promise<void> {
        if (isOver) throw noRoom();
        if (own + bytes <= SMALL_BYTES || (fits(centerId, bytes) && !waits(centerId))) grow(bytes);
        else await wait(bytes);
      }

      function abandon(): void {
        isOver = true;
        if (waiting.size === 0) return;
        for (const each of waiting) each.refuse();
        // Smaller reservations may have waited behind these.
        admitWaiting();
      }

      function free(): void {
        releases++;
        usedUp = null;
        expected.clear();
        expectedBytes = 0;
        content = 0;
        grow(-own);
      }

      return {
        expect(id, bytes) {
          if (usedUp || expected.has(id)) return usedUp;
          expected.add(id);
          expectedBytes += bytes;
          if (expectedBytes > MAX_CONTENT_BYTES) usedUp = tooLarge();
          return usedUp;
        },
        async reserve(bytes) {
          if (content + bytes > MAX_CONTENT_BYTES) usedUp ??= tooLarge();
          if (usedUp) throw usedUp;
          content += bytes;
          const before = releases;
          await take(bytes).catch((error: unknown) => {
            if (releases === before) content -= bytes;
            throw error;
          });
          return (actual) => {
            if (releases > before) return;
            content += actual - bytes;
            grow(actual - bytes);
          };
        },
        count(bytes) {
          // Small work may outlive its request. The rest of a request whose caller has gone away may not.
          if (isOver) late += bytes;
          if (isOver) return late > SMALL_BYTES ? noRoom() : null;
          // Its other statements need not be sent any more.
          if (own + bytes > MAX_READ_BYTES) usedUp ??= tooLarge();
          if (usedUp) return usedUp;
          if (own + bytes > SMALL_BYTES && !fits(centerId, bytes)) {
            noteFull(centerId);
            return noRoom();
          }
          grow(bytes);
          return null;
        },
        size: () => own,
        restart: free,
        abandon,
        release() {
          abandon();
          free();
        },
      };
    },
  };
}

/** Whether it says that a request read too much, or that there was no room for it. */
export const isRefusal = (error: unknown): error is DomainError =>
  error instanceof DomainError && ['RESPONSE_TOO_LARGE', 'SERVICE_UNAVAILABLE'].includes(error.code);

const noRoom = () =>
  new DomainError('SERVICE_UNAVAILABLE', 'Too much content is being read at the moment; try again.', {
    retryAfter: 1,
  });
