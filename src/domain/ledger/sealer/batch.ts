// The sealing batch: the transaction in which the requests of many callers and centers become records on their chains.
//
// The group commit (src/lib/group-commit.ts) collects the requests, the sealer hands them over as one portion for each center,
// and `sealingTransaction` opens and commits the transaction. This file does what lies between, in two modes:
//
//   shared (`wait` is false)  many centers. Rows and heads that another transaction has locked are skipped, and their centers
//                             come back as 'held': the group commit seals each of them alone.
//   alone (`wait` is true)    one center. It waits for locked rows and heads, for at most LOCK_TIMEOUT_MS each.
//
// The steps of a batch, and what each may wait for:
//
//   1. BEGIN declares the centers and fails if signed history is missing. It is sent together with the next statement.
//   2. The Idempotency-Keys of the callers are locked, which waits in both modes. A caller that has lost its key to another
//      request is rejected.
//   3. Each kind admits all its requests in a constant number of queries: a draft of a record, a change without a record, an
//      Error for this caller only, or LOCKED. In a shared batch the heads that the kinds usually append to are locked in the
//      same round trip.
//   4. A center with a LOCKED request leaves the batch with all its requests, because they must stay in order.
//      The batch's timestamp is now known. So does a center with a draft that must not be sealed so late; if it is alone, the
//      batch fails, and the group commit isolates the draft from the request that moved the timestamp.
//   5. Heads that are still missing are locked; chains that do not exist yet are created. A center whose heads are not all
//      locked leaves the batch too.
//   6. Records are linked to the locked heads in memory: index, previous hash and hash, for the chains of proofs, platform
//      records, journal and audit. All get the same timestamp. A use of a mandate names the hash of the use before it, which
//      the same batch may have linked, so its content is made here.
//   7. The results are stored with the Idempotency-Keys.
//   8. The records, the new heads, the rows of the kinds, the events with their deliveries and jobs, and COMMIT are sent in one
//      round trip. If a write fails, the COMMIT behind it rolls back. From here on, the next shared batch may begin, with
//      other centers and on another connection.
//   9. After the commit, `announceBatch` tells subscriptions and workers.
//
// A batch that waits takes its locks in one order: Idempotency-Keys, rows of the kinds, chain heads (platform, proof, journal,
// audit; then by center). Heads stay locked to the end of the transaction, so processes that seal in the same center take
// turns. A shared batch also keeps the heads of centers that left it until it ends.
//
// Errors that fail the transaction leave nothing behind. After a deadlock or a serialization failure it is repeated, three
// attempts in all. If the database is unavailable or a lock wait has timed out, every caller gets SealUnavailable. Any other
// error may come from one request, which the group commit then isolates.
//
// What a crash, of this process or of its connection, leaves behind:
//
//   before step 8       nothing. The database rolls back and releases the locks. The size and hash of a head change in the same
//                       transaction as its records, so a chain never has a gap or a fork.
//   during step 8       all or nothing, and this process cannot tell which. If it survives, its callers get SealUnavailable with
//                       `unknown`. A retry with the same Idempotency-Key finds the result of step 7, if there is one, and
//                       does not seal again. A caller without a key must read what became of its request.
//   between 8 and 9     everything is written. Only notifications are lost: live subscriptions miss events that the list of
//                       events has, and workers find the jobs when they poll.
import type { Bus } from '../../../db/bus.ts';
import type { Database, PoolClient } from '../../../db/database.ts';
import type { Statement } from '../../../db/sql.ts';
import type { KeyedItems, Outcomes } from '../../../lib/group-commit.ts';
import type { Metrics } from '../../../lib/metrics.ts';
import { newSalt } from '../../../lib/seal-tools.ts';
import { type AuditRow, auditRow, auditText } from '../../audit/append.ts';
import type { EventDraft } from '../../events/catalog.ts';
import { announcements, eventsStatement, named, type WrittenEvent } from '../../events/outbox.ts';
import {
  expiredClaims,
  type IdempotencyClaim,
  IdempotencyLeaseLost,
  storeResults,
} from '../../idempotency/claim.ts';
import {
  type ChainName,
  chainKey,
  type Head,
  type LinkedRecord,
  link,
  lockFreeHeads,
  lockHeads,
  type Place,
} from '../chains/chains.ts';
import { type JournalContent, journalText } from '../chains/journal.ts';
import { createdEntry, currentDpu, factsOf, MOST_IN_ENTRY, type NewDpuRow } from '../chains/new-dpu.ts';
import { recordsStatement, sealedData } from '../chains/write-records.ts';
import {
  type Admission,
  type BatchTime,
  type Draft,
  LOCKED,
  type SealItem,
  type SealOutcome,
  type WithoutRecord,
} from './kinds.ts';
import type { Prepared } from './transaction.ts';

export interface SealResources {
  db: Database;
  bus: Bus;
  metrics: Metrics;
}

/** Kinds differ in request and result types; within a batch only the kind itself reads them. */
export type AnyItem = SealItem<unknown, unknown>;
export type AnyOutcome = SealOutcome<unknown>;

/**
 * Prepares requests of many centers in the caller's transaction, with a constant number of statements. Locks the rows involved
 * and returns the statements to run together with the outcomes of each center, or 'held' if another transaction holds its
 * locks. Throws if the whole transaction must fail.
 */
export async function sealBatch(
  client: PoolClient,
  portions: KeyedItems<AnyItem>[],
  time: BatchTime,
): Promise<Prepared<Batch>> {
  const { wait } = time;
  const claims = portions.flatMap(({ items }) => items.flatMap(({ idempotency }) => idempotency ?? []));
  const lost = await expiredClaims(client, claims);
  // When waiting, rows are locked in order, heads last. Otherwise both are locked in one round trip.
  const [admitted, ahead] = await Promise.all([
    admitAll(client, portions, lost, time),
    wait ? [] : lockFreeHeads(client, portions.flatMap(likelyChains)),
  ]);
  const at = notBefore(time.at, admitted);
  const late = new Set(admitted.filter((center) => isTooLate(center, at)));
  if (wait && late.size > 0)
    throw new Error('a record must not be sealed as late as the others of its batch');
  const open = admitted.filter((center) => !center.admissions.includes(LOCKED) && !late.has(center));
  const headOf = new Map(ahead.map((head) => [chainKey(head), head]));
  const further = open.flatMap(chainsOf).filter((name) => !headOf.has(chainKey(name)));
  for (const head of await lockHeads(client, further, wait ? 'wait' : 'skip'))
    headOf.set(chainKey(head), head);
  const free = open.filter((center) => chainsOf(center).every((name) => headOf.has(chainKey(name))));

  const writes = new BatchWrites(at, headOf);
  const outcomes = new Map(free.map((center) => [center, writes.center(center)]));
  const completed = free.flatMap((center) =>
    center.items.flatMap(({ idempotency }, n) => {
      const outcome = outcomes.get(center)![n]!;
      return outcome instanceof Error ? [] : [{ claim: idempotency, result: outcome }];
    }),
  );
  await storeResults(client, completed, at);
  const events = named(writes.events);
  const moved = free.flatMap((center) => chainsOf(center).map((name) => headOf.get(chainKey(name))!));
  return {
    result: {
      outcomes: admitted.map((center) => outcomes.get(center) ?? 'held'),
      events,
      dpus: writes.dpus,
    },
    writes: [
      ...(writes.records.length > 0 ? [recordsStatement(writes, moved, at)] : []),
      ...ownWrites(free, outcomes),
      ...(events.length > 0 ? [eventsStatement(events, at)] : []),
    ],
  };
}

/** The result of a batch, to be announced after the commit. */
interface Batch {
  outcomes: (Outcomes<AnyOutcome> | 'held')[];
  events: WrittenEvent[];
  dpus: NewDpuRow[];
}

/** Notifies live subscribers. The event list is authoritative, so a missed notification loses nothing. */
export function announceBatch({ bus, metrics }: SealResources, { events, dpus }: Batch): void {
  for (const { topic, message } of announcements(events)) bus.hint(topic, message);
  if (events.length > 0) bus.wakeWorkers(events.length);
  for (const { domain } of dpus) metrics.seals.inc({ domain });
}

/** The batch's timestamp, moved forward if another process's clock was already ahead. */
function notBefore(at: Date, admitted: AdmittedCenter[]): Date {
  let latest = at;
  for (const { admissions } of admitted) {
    for (const admission of admissions) {
      const bound = isAdmitted(admission) ? admission.notBefore : undefined;
      if (bound && bound > latest) latest = bound;
    }
  }
  return latest;
}

function isTooLate({ admissions }: AdmittedCenter, at: Date): boolean {
  return admissions.some((admission) => {
    if (!isAdmitted(admission) || !isDraft(admission)) return false;
    return admission.notAfter !== undefined && at > admission.notAfter;
  });
}

interface AdmittedCenter {
  centerId: number;
  items: AnyItem[];
  admissions: Admission<unknown>[];
}

/** Each kind admits all its requests at once. */
async function admitAll(
  client: PoolClient,
  portions: KeyedItems<AnyItem>[],
  lost: Set<IdempotencyClaim>,
  time: BatchTime,
): Promise<AdmittedCenter[]> {
  const admitted = portions.map(({ key, items }) => ({
    centerId: key,
    items,
    admissions: new Array<Admission<unknown>>(items.length),
  }));
  const everybody = admitted.flatMap((center) => center.items.map((item, n) => ({ center, item, n })));
  const all = everybody.filter(({ center, item, n }) => {
    const isLost = item.idempotency != null && lost.has(item.idempotency);
    if (isLost) center.admissions[n] = new IdempotencyLeaseLost();
    return !isLost;
  });
  for (const [kind, members] of Map.groupBy(all, ({ item }) => item.kind)) {
    const answers = await kind.admit(
      client,
      members.map(({ item }) => item.request),
      time,
    );
    if (answers.length !== members.length) throw new Error(`${kind.name} must admit each request`);
    members.forEach(({ center, n }, i) => {
      center.admissions[n] = answers[i]!;
    });
  }
  return admitted;
}

const isDraft = (admission: Draft<unknown> | WithoutRecord<unknown>): admission is Draft<unknown> =>
  admission.content !== null;

const isAdmitted = (admission: Admission<unknown>): admission is Draft<unknown> | WithoutRecord<unknown> =>
  !(admission instanceof Error) && admission !== LOCKED;

/** The chains that a center's requests will probably append to, according to their kinds. */
function likelyChains({ key, items }: KeyedItems<AnyItem>): ChainName[] {
  const domains = new Set(items.flatMap(({ kind }) => kind.grows));
  return [...domains].map((domain) => ({ centerId: key, domain }));
}

/** The chains that a center's admitted requests append to. */
function chainsOf({ centerId, admissions }: AdmittedCenter): ChainName[] {
  const domains = new Set<ChainName['domain']>();
  for (const admission of admissions) {
    if (!isAdmitted(admission)) continue;
    if (isDraft(admission)) domains.add(admission.domain);
    if (admission.journal || (isDraft(admission) && admission.domain === 'platform')) domains.add('journal');
    if (admission.audit) domains.add('audit');
  }
  return [...domains].map((domain) => ({ centerId, domain }));
}

/** Collects everything a batch writes, center by center, except the kinds' own tables. */
class BatchWrites {
  readonly records: LinkedRecord[] = [];
  readonly dpus: NewDpuRow[] = [];
  readonly audit: AuditRow[] = [];
  readonly events: EventDraft[] = [];
  readonly #at: Date;
  readonly #timestamp: string;
  readonly #headOf: Map<string, Head>;

  constructor(at: Date, headOf: Map<string, Head>) {
    this.#at = at;
    this.#timestamp = at.toISOString();
    this.#headOf = headOf;
  }

  center({ centerId, admissions, items }: AdmittedCenter): Outcomes<AnyOutcome> {
    const before = this.dpus.length;
    const outcomes = admissions.map((admission, n) => {
      if (!isAdmitted(admission)) return admission as Error;
      const firstEvent = this.events.length;
      const outcome = isDraft(admission)
        ? this.#draft(centerId, admission)
        : this.#accompany(centerId, admission, null);
      const { trace } = items[n]!;
      if (trace) for (const event of this.events.slice(firstEvent)) event.trace = trace;
      return outcome;
    });
    const salted = this.dpus.slice(before).filter(({ salt }) => salt !== null);
    for (let i = 0; i < salted.length; i += MOST_IN_ENTRY) {
      this.#journalCreated(centerId, salted.slice(i, i + MOST_IN_ENTRY));
    }
    return outcomes;
  }

  #journalCreated(centerId: number, created: NewDpuRow[]): void {
    const { vertical } = this.#head(centerId, 'journal');
    const facts = created.map((row) => factsOf(currentDpu(row, vertical, this.#at)));
    const { index } = this.#journal(centerId, createdEntry(facts));
    for (const row of created) row.journalIndex = index;
  }

  #draft(centerId: number, draft: Draft<unknown>): AnyOutcome {
    const { domain, content, dpu } = draft;
    const place = this.#link(centerId, domain, typeof content === 'string' ? content : content());
    draft.linked?.(place);
    const { chainId, index } = place;
    const salt = domain === 'platform' ? newSalt() : null;
    this.dpus.push({ ...dpu, centerId, chainId, index, domain, salt, journalIndex: null });
    if (dpu.evidenceLevel === 'AUDIT_READY') {
      this.events.push({
        centerId,
        type: 'dpu.sealed',
        data: sealedData(dpu.id, place.hash, domain, dpu.actorId),
      });
    }
    return this.#accompany(centerId, draft, place);
  }

  #accompany(
    centerId: number,
    admission: Draft<unknown> | WithoutRecord<unknown>,
    place: Place | null,
  ): AnyOutcome {
    // Callbacks of a draft receive its position; callbacks of a request without a record receive null.
    const { events, audit, journal, result } = admission as WithoutRecord<unknown>;
    const at = place as null;
    const entries = (journal?.(at) ?? []).map((content) => placeOf(this.#journal(centerId, content)));
    if (events) this.events.push(...events(at));
    for (const draft of audit?.(at) ?? []) {
      const facts = auditRow(draft, this.#at);
      const { chainId, index } = this.#link(centerId, 'audit', auditText(facts));
      const partnerId = facts.partnerId ?? this.#head(centerId, 'audit').partnerId;
      this.audit.push({ ...facts, partnerId, chainId, index });
    }
    return { place, journal: entries, result };
  }

  #journal(centerId: number, content: JournalContent): LinkedRecord {
    return this.#link(centerId, 'journal', journalText(content));
  }

  #link(centerId: number, domain: ChainName['domain'], content: string): LinkedRecord {
    const record = link(this.#head(centerId, domain), content, this.#timestamp);
    this.records.push(record);
    return record;
  }

  #head(centerId: number, domain: ChainName['domain']): Head {
    return this.#headOf.get(chainKey({ centerId, domain }))!;
  }
}

const placeOf = ({ content: _, ...place }: LinkedRecord): Place => place;

/** Statements for the kinds' own tables. */
function ownWrites(
  centers: AdmittedCenter[],
  outcomes: Map<AdmittedCenter, Outcomes<AnyOutcome>>,
): Statement[] {
  const done = centers.flatMap((center) =>
    outcomes.get(center)!.flatMap((outcome, n) => {
      return outcome instanceof Error ? [] : [{ kind: center.items[n]!.kind, outcome }];
    }),
  );
  return [...Map.groupBy(done, ({ kind }) => kind)].flatMap(([kind, members]) => {
    return kind.writes?.(members.map(({ outcome }) => outcome)) ?? [];
  });
}
