import type { PoolClient } from '../../db/database.ts';
import { appendAudit } from '../audit/append.ts';
import type { AuditDraft } from '../audit/entry.ts';
import { announcements, appendEvents } from '../events/outbox.ts';
import type { EventDraft } from '../events/types.ts';
import { markCarriedOut } from '../idempotency/claim.ts';
import { appendDpus, sealedData } from './append.ts';
import type { AnyItem, Outcome } from './queue.ts';
import type { Admission, Chain, Draft, Place, SealKind, Settled } from './seal-kind.ts';
import type { SealResources } from './seal-resources.ts';

/**
 * Seals a batch of one chain in the caller's transaction, in a number of round trips that does not depend on its
 * size. Gives an outcome for each item; throws when the transaction as a whole cannot go on.
 */
export async function sealBatch(
  { bus, metrics }: Pick<SealResources, 'bus' | 'metrics'>,
  client: PoolClient,
  chain: Chain,
  items: AnyItem[],
  at: Date,
): Promise<Outcome[]> {
  const admissions = await admitAll(client, items, at);
  const drafts = admissions.filter(isDraft);
  const [places] = drafts.length > 0 ? await appendDpus(client, [{ chain, links: drafts }], at) : [[]];
  const placeOf = new Map(drafts.map((draft, i) => [draft, places![i]!]));
  const outcomes = admissions.map((admission): Outcome => {
    if (admission instanceof Error) return admission;
    return { place: isDraft(admission) ? placeOf.get(admission)! : null, result: admission.result };
  });
  await finishAll(client, items, outcomes, at);
  const done = items.filter((_, i) => !(outcomes[i] instanceof Error));
  await markCarriedOut(
    client,
    done.map(({ idempotency }) => idempotency),
    at,
  );

  const events = admissions.flatMap((admission) => eventsOf(chain, admission, placeOf));
  if (events.length > 0) {
    await bus.publishAll(announcements(await appendEvents(client, events, at)), client);
  }
  // Last, because it locks the head of the center's audit chain too.
  const audit = admissions.flatMap((admission) => auditOf(admission, placeOf));
  if (audit.length > 0) await appendAudit(client, audit, at);
  metrics.seals.inc({ domain: chain.domain }, drafts.length);
  return outcomes;
}

type PlaceOf = Map<Draft<unknown>, Place>;

function isDraft(admission: Admission<unknown>): admission is Draft<unknown> {
  return !(admission instanceof Error) && admission.content !== null;
}

/** The items of each kind, with their positions in the batch. */
function byKind(items: AnyItem[]): [SealKind<unknown, unknown>, number[]][] {
  return [...Map.groupBy(items.keys(), (position) => items[position]!.kind)];
}

async function admitAll(client: PoolClient, items: AnyItem[], at: Date): Promise<Admission<unknown>[]> {
  const admissions = new Array<Admission<unknown>>(items.length);
  for (const [kind, positions] of byKind(items)) {
    const requests = positions.map((position) => items[position]!.request);
    const admitted = await kind.admit(client, requests, at);
    if (admitted.length !== requests.length) throw new Error(`${kind.name} must admit each request`);
    positions.forEach((position, i) => {
      admissions[position] = admitted[i]!;
    });
  }
  return admissions;
}

async function finishAll(client: PoolClient, items: AnyItem[], outcomes: Outcome[], at: Date): Promise<void> {
  for (const [kind, positions] of byKind(items)) {
    const finished = positions.flatMap((position) => {
      const outcome = outcomes[position]!;
      return outcome instanceof Error ? [] : [{ request: items[position]!.request, ...outcome }];
    });
    if (finished.length > 0) await kind.finish?.(client, finished, at);
  }
}

function eventsOf(chain: Chain, admission: Admission<unknown>, placeOf: PlaceOf): EventDraft[] {
  if (admission instanceof Error) return [];
  if (!isDraft(admission)) return (admission as Settled<unknown>).events?.() ?? [];
  const place = placeOf.get(admission)!;
  const { dpu } = admission;
  const own = admission.events?.(place) ?? [];
  if (dpu.evidenceLevel !== 'AUDIT_READY') return own;
  const data = sealedData(place, chain.domain, dpu.actorId);
  return [{ centerId: chain.centerId, type: 'dpu.sealed', data }, ...own];
}

function auditOf(admission: Admission<unknown>, placeOf: PlaceOf): AuditDraft[] {
  if (admission instanceof Error) return [];
  if (!isDraft(admission)) return (admission as Settled<unknown>).audit?.() ?? [];
  return admission.audit?.(placeOf.get(admission)!) ?? [];
}
