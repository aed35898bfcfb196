import type { Announcement } from '../db/bus.ts';
import type { Db, Tx } from '../db/database.ts';
import { isSerializationFailure } from '../db/faults.ts';
import { sql } from '../db/sql.ts';
import { enqueue, type JobOptions } from '../queue/enqueue.ts';
import type { TaskName, TaskPayload } from '../queue/tasks.ts';
import { announceAudit } from './announcements.ts';
import { type AuditFacts, appendAudit } from './audit/append.ts';
import { type AuditDraft, type AuditInput, draftEntry } from './audit/entry.ts';
import { type Context, currentCenterId } from './context.ts';
import type { EventData, EventDraft, EventType } from './events/catalog.ts';
import { announcements, appendEvents } from './events/outbox.ts';
import { alreadyDone, storeResults } from './idempotency/claim.ts';
import { appendJournal, type JournalEntry } from './ledger/chains/journal.ts';
import type { MailDraft } from './mail/draft.ts';
import { postMail } from './mail/outbox.ts';

/** A state change in progress. Its audit entries, events and jobs are committed with it, or none of it is. */
export interface Work {
  /** The rows of the transaction, scoped to the caller's center unless the work spans tenants. */
  db: Tx;
  audit(entry: AuditInput): void;
  /** Adds an entry to the journal of a center or of the platform. */
  journal(entry: JournalEntry): void;
  /** Notifies the center's subscribers. */
  emit<Type extends EventType>(type: Type, data: EventData<Type>, centerId?: number): void;
  enqueue<Name extends TaskName>(task: Name, payload: TaskPayload<Name>, options?: JobOptions): void;
  /** Sends a mail after the commit. If it exceeds a limit, the whole change is refused. */
  mail(draft: MailDraft): void;
  /** A lower bound for the timestamps of this work's audit and journal entries. */
  notBefore(moment: Date): void;
  /** Notifies other processes and subscriptions after the commit. */
  publish(topic: string, message: Announcement['message']): void;
}

type RunWork<T> = (work: Work) => Promise<T>;

const RETRIES = 3;
const TIMEOUT_MS = 15_000;

export async function transact<T>(ctx: Context, work: RunWork<T>, client: Db = ctx.db): Promise<T> {
  const done = alreadyDone(ctx.idempotency);
  if (done) return done.result as T;
  for (let attempt = 1; ; attempt++) {
    try {
      const done = await client.$transaction((tx) => runWork(ctx, tx, work), {
        timeout: TIMEOUT_MS,
        maxWait: TIMEOUT_MS,
      });
      // When this returns, a revoked permission is revoked in all processes.
      if (done.principalsChanged) await ctx.app.principals.invalidate();
      for (const { topic, message } of done.announced) ctx.app.bus.hint(topic, message);
      announceAudit(ctx.app.bus, done.audited);
      if (done.jobs > 0) ctx.app.bus.wakeWorkers(done.jobs);
      return done.result;
    } catch (error) {
      if (attempt === RETRIES || !isSerializationFailure(error)) throw error;
    }
  }
}

/** The same on rows of several tenants, or of none: identity, partners, provisioning. */
transact.acrossTenants = <T>(ctx: Context, work: RunWork<T>): Promise<T> =>
  transact(ctx, work, ctx.app.db.acrossTenants);

interface Done<T> {
  result: T;
  /** Whether permissions may have changed. */
  principalsChanged: boolean;
  announced: Announcement[];
  audited: AuditFacts[];
  /** The maximum number of jobs to wake workers for. */
  jobs: number;
}

async function runWork<T>(ctx: Context, tx: Tx, work: RunWork<T>): Promise<Done<T>> {
  const audits: AuditDraft[] = [];
  const entries: JournalEntry[] = [];
  const events: EventDraft[] = [];
  const later: (() => Promise<void>)[] = [];
  const announced: Announcement[] = [];
  let jobs = 0;
  let at = ctx.now;
  const result = await work({
    db: tx,
    audit: (entry) => void audits.push(draftEntry(ctx, entry)),
    journal: (entry) => void entries.push(entry),
    emit: (type, data, centerId = currentCenterId(ctx)) =>
      void events.push({ centerId, type, data, causes: ctx.causes } as EventDraft),
    enqueue(task, payload, jobOptions) {
      later.push(() => enqueue(tx, task, payload, { ...jobOptions, quiet: true }));
      jobs++;
    },
    mail: (draft) => void later.push(() => postMail(ctx.app, tx, draft, ctx.now)),
    notBefore: (moment) => {
      if (moment > at) at = moment;
    },
    publish: (topic, message) => void announced.push({ topic, message }),
  });
  if (events.length > 0) announced.push(...announcements(await appendEvents(tx, events, ctx.now)));
  for (const step of later) await step();
  await storeResults(tx, [{ claim: ctx.idempotency, result }], ctx.now);
  const [principals] = await PRINCIPALS_CHANGED.rows(tx, {});
  // Last, because they lock the heads of the journal and of the audit chain until the commit.
  if (entries.length > 0) await appendJournal(tx, entries, at);
  const audited = audits.length > 0 ? await appendAudit(tx, audits, at) : [];
  return { result, principalsChanged: principals!.changed, announced, audited, jobs: jobs + events.length };
}

/** The triggers that notify other processes also leave a flag in the transaction. */
const PRINCIPALS_CHANGED = sql('principals_changed', { changed: 'boolean' })`
  SELECT coalesce(current_setting('countersign.principals_changed', true), '') <> '' AS changed`;
