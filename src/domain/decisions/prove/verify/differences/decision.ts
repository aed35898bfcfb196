// Compares one decision, its approvals and its outcome with its records on the journal and the proof chain.

import { canonicalJson } from '@countersign/proof-kit/canonical';
import {
  APPROVAL,
  EVENT,
  OUTCOME,
  type SealedApproval,
  type SealedDecision,
} from '@countersign/proof-kit/decision';
import { identityKey } from '@countersign/proof-kit/decision-rules';
import type { ApprovedByKind } from '../../../../../db/generated/prisma/enums.ts';
import { type RowOf, typed } from '../../../../../db/sql.ts';
import { isObject, type JsonObject, parseJson } from '../../../../../lib/json.ts';
import { keptAuthor } from '../../../../ledger/chains/journal.ts';
import { digestOf, reseal, whole } from '../../../content.ts';
import { isOwnRejection } from '../../../erased.ts';
import { APPROVAL_ROW, OWN_EVENT_ROW, type OwnEventRow, toContent } from '../../../row.ts';
import type { Differences } from './difference.ts';
import { type Entry, erasureKey, type JournalFacts } from './journal.ts';
import { differingMembers, guessedMember, possiblyChangedMembers } from './members.ts';
import { type OutcomeColumns, outcomeDiffers } from './outcome.ts';
import type { Registration } from './passkeys.ts';
import type { PolicyHistory } from './policy-history.ts';
import { type DpuColumns, sealedDpuMembers } from './sealed-dpu.ts';
import { matchesPolicies, sizesIn } from './sealed-policy.ts';
import { type SeatHistory, seatDifference } from './seat-history.ts';
import { unerasedAt } from './unerased.ts';

export const GENERATED_ROW = {
  decision_id: 'text?',
  type: 'decision_event_type',
  actor_id: 'text?',
  actor_type: 'text',
  actor_name: 'text?',
  action_type: 'text',
  tags: 'text[]',
} as const;

export const DECISION_ROW = {
  ...OWN_EVENT_ROW,
  ...GENERATED_ROW,
  recorded: 'text?',
  /** As JSON, so that adding or removing a column does not affect this code. */
  dpu: typed<DpuColumns | null>('json'),
  vertical: 'vertical',
  sealed_index: 'int?',
  sealed_content: 'text?',
  sealed_timestamp: 'text?',
  outcome: typed<OutcomeColumns | null>('json'),
  outcome_content: 'text?',
  outcome_timestamp: 'text?',
  outcome_by: typed<{ by_kind: ApprovedByKind; by_id: string | null; salt: string | null } | null>('json'),
  /** Whether it is missing from the list of one of its tags. */
  unlisted: 'boolean',
} as const;

/** A decision with its records on the journal and the proof chain. */
export type DecisionRow = RowOf<typeof DECISION_ROW>;

export const STORED_APPROVAL_ROW = { ...APPROVAL_ROW, center_id: 'int', journalContent: 'text?' } as const;

export interface ApprovalWithRegistration extends RowOf<typeof STORED_APPROVAL_ROW> {
  /** That of the signing key for the approver; null if there is none. */
  registration: Registration | null | undefined;
}

/** The data needed to compare each decision. */
export interface Known {
  facts: JournalFacts;
  policies: PolicyHistory;
  seats: SeatHistory;
  /** By decision, its own entry if the row does not reference it. These are already reported. */
  unreferencedEvents: Map<string, Entry>;
  /** By decision, entries about approvals that no row references. */
  unreferencedApprovals: Map<string, Entry[]>;
  /** Sealed decisions whose DPU is missing. */
  withoutDpu: ReadonlySet<string>;
  found: Differences;
  /** Whether one of them was sealed under a mandate. */
  hasUses: boolean;
  /** One byte per record of the proof chain: 0 if no decision references it. */
  claimed: Uint8Array;
}

export const SEALED = 1;
export const SEALED_BEFORE_FORMAT_4 = 2;

export function compareDecision(known: Known, row: DecisionRow, approvals: ApprovalWithRegistration[]): void {
  const { found, unreferencedEvents } = known;
  const name = (member: string | null, index: number | null, chain = 'journal') =>
    found.add({ table: 'decision_event', id: row.id, chain, index, member });
  const sealed = sealedDecision(row);
  if (sealed) known.claimed[row.sealed_index!] = sealed.policy?.journals ? SEALED : SEALED_BEFORE_FORMAT_4;
  const elsewhere = unreferencedEvents.get(row.id);
  const recorded = elsewhere?.content ?? parsed(row.recorded);
  if (recorded?.['kind'] !== 'recorded' || recorded['eventId'] !== row.id) {
    name(null, null);
    return;
  }
  const at = elsewhere?.index ?? row.journal_index;
  const before = found.count;
  try {
    const resealed = { ...row, ...reseal(EVENT, row), prefix: '' };
    if (digestOf(resealed.sealed) !== recorded['eventDigest']) {
      const members = sealed ? differingMembers(sealed.event, resealed, 'event') : [];
      const likely = () => guessedMember(resealed.sealed, row.created_at, recorded['eventDigest']);
      for (const member of members.length > 0
        ? members
        : (likely() ?? possiblyChangedMembers(resealed, 'event')))
        name(member, at);
    }
  } catch {
    name('event', at);
  }
  // The publicly visible sealed event must match what was recorded, regardless of the row.
  if (sealed && digestOf(sealed.event) !== recorded['eventDigest']) name('event', row.sealed_index, 'proof');
  if (row.content_hash !== recorded['eventDigest']) name('contentHash', at);
  if (!sameAuthor(row, recorded['by'])) name('by', at);
  if (row.evidence_id !== recorded['evidenceId']) name('evidence.id', at);
  if (row.dpu_id !== recorded['dpuId']) name('dpuId', at);
  if ((row.expires_at?.toISOString() ?? undefined) !== recorded['expiresAt']) name('expiresAt', at);
  // Both hold the time of recording. The sealed value tells which of the two was changed.
  if (row.created_at.toISOString() !== row.content.occurredAt && !found.has(row.id, 'occurredAt'))
    name('createdAt', at);
  for (const [column, path] of Object.entries(GENERATED))
    if (!isGenerated(row, column as keyof typeof GENERATED)) name(path, at);
  for (const path of unjournalled(known, row.id, row.erased)) name(path, at);
  const erasedPaths = known.facts.erasedPaths.get(row.id);
  const unerased = unerasedAt(erasedPaths, toContent(row), { salts: row.salts, prefix: '' });
  if (unerased !== null) name('erased', unerased);
  if (row.unlisted) name('tags', at);
  compareApprovals(known, row, sealed, approvals);
  if (row.status !== expectedStatus(known, row, sealed, approvals))
    name('status', row.sealed_index ?? at, row.sealed_index === null ? 'journal' : 'proof');
  if (
    row.outcome &&
    (row.outcome.center_id !== row.center_id ||
      outcomeDiffers(row.outcome, row.outcome_by, row.outcome_content, row.outcome_timestamp) ||
      unjournalled(known, row.id, row.outcome.erased).length > 0)
  ) {
    name('outcome', row.outcome.journal_index);
  }
  const { outcome } = row;
  const unerasedOutcome =
    outcome &&
    unerasedAt(erasedPaths, whole(OUTCOME, outcome), { salts: outcome.salts, prefix: OUTCOME.prefix });
  if (unerasedOutcome !== null) name('erased', unerasedOutcome);
  if (
    sealed &&
    found.count === before &&
    !matchesPolicies(known.policies, sealed, { row, approvals, at: row.sealed_timestamp! })
  ) {
    name('policy', row.sealed_index, 'proof');
  }
  if (sealed && isIdentityRepeated(approvals)) name('identity', row.sealed_index, 'proof');
  const sizes = sealed && sizesIn(sealed);
  const isUncovered = ({ registration }: ApprovalWithRegistration) =>
    registration === null || (registration && registration.index >= sizes!.passkeys);
  if (sizes && approvals.some(isUncovered)) name('credential', row.sealed_index, 'proof');
  if (sealed && sizes) {
    const seat = seatDifference(known.seats, sealed, {
      approvals,
      size: sizes.own,
      at: row.sealed_timestamp!,
    });
    if (seat !== null) name(seat, row.sealed_index, 'proof');
  }
  if (sealed && row.dpu) {
    const beside = {
      row: row.dpu,
      vertical: row.vertical,
      event: row,
      sealed,
      lastApproval: approvals.at(-1),
      at: row.sealed_timestamp!,
    };
    for (const member of sealedDpuMembers(beside, found.count === before)) {
      found.add({ table: 'dpu', id: row.dpu_id, chain: 'proof', index: row.sealed_index, member });
    }
  }
}

/** Whether one subject of a provider gave two approvals. Documents may withhold the identities, so only the walk sees all. */
function isIdentityRepeated(approvals: readonly ApprovalWithRegistration[]): boolean {
  const keys = approvals.flatMap(({ content }) => identityKey(content) ?? []);
  return new Set(keys).size < keys.length;
}

/** Columns that PostgreSQL generates from the document, by path. They differ only if the table itself was changed. */
const GENERATED = {
  decision_id: 'decisionId',
  type: 'type',
  actor_id: 'actor.id',
  actor_type: 'actor.type',
  actor_name: 'actor.name',
  action_type: 'action.type',
  tags: 'tags',
} as const;

function isGenerated(row: DecisionRow, column: keyof typeof GENERATED): boolean {
  const value = GENERATED[column]
    .split('.')
    .reduce<unknown>((object, name) => (object as Record<string, unknown>)[name], row.content);
  return JSON.stringify(row[column]) === JSON.stringify(value ?? (column === 'tags' ? [] : null));
}

/** Whether the row and the journal name the same author. */
function sameAuthor({ by_kind: kind, by_id: id, by_salt: salt }: OwnEventRow, sealed: unknown): boolean {
  if (kind === null) return sealed === undefined;
  return (
    canonicalJson(keptAuthor({ kind, salt, ...(id !== null && { id }) }) as never) ===
    canonicalJson((sealed ?? null) as never)
  );
}

/** The decision's record on the proof chain, or null if it is missing or belongs to another decision. */
function sealedDecision(row: DecisionRow): SealedDecision | null {
  const content = parsed(row.sealed_content) as unknown as SealedDecision | null;
  return content?.kind === 'decision' && content.event?.id === row.id && Array.isArray(content.approvals)
    ? content
    : null;
}

function compareApprovals(
  known: Known,
  row: DecisionRow,
  sealed: SealedDecision | null,
  approvals: ApprovalWithRegistration[],
): void {
  const { found } = known;
  const recordedDigest = (known.unreferencedEvents.get(row.id)?.content ?? parsed(row.recorded))?.[
    'eventDigest'
  ];
  const onProof = new Map(sealed?.approvals.map((approval) => [approval.id, approval]));
  for (const approval of approvals) {
    const elsewhere = known.unreferencedApprovals
      .get(row.id)
      ?.find(({ content }) => approvalIn(content)?.id === approval.id);
    const journaled = elsewhere?.content ?? parsed(approval.journalContent);
    const journaledApproval = journaled ? approvalIn(journaled) : undefined;
    const onJournal = journaled?.['eventId'] === row.id && journaledApproval?.id === approval.id;
    const original = onProof.get(approval.id) ?? (onJournal ? journaledApproval : undefined);
    const place = onProof.has(approval.id)
      ? { chain: 'proof', index: row.sealed_index }
      : { chain: 'journal', index: elsewhere?.index ?? approval.journal_index };
    const name = (member: string | null, index = place.index) =>
      found.add({ table: 'approval', id: approval.id, chain: place.chain, index, member });
    onProof.delete(approval.id);
    if (!original) {
      if (!known.withoutDpu.has(row.id)) name(null, null);
      continue;
    }
    for (const member of approvalMembers(original, approval)) name(member);
    if (approval.content_hash !== recordedDigest) name('contentHash');
    if (approval.registration === null) name('passkey');
    // It was moved to another center, so members of this one no longer see it.
    if (approval.center_id !== row.center_id) name('centerId');
    for (const path of unjournalled(known, row.id, approval.erased)) name(path.slice('approvals.'.length));
    const unerased = isOwnRejection(approval)
      ? null
      : unerasedAt(known.facts.erasedPaths.get(row.id), approval.content, {
          salts: approval.salts,
          prefix: 'approvals.',
        });
    if (unerased !== null)
      found.add({ table: 'approval', id: approval.id, chain: 'journal', index: unerased, member: 'erased' });
  }
  for (const id of onProof.keys()) {
    found.add({ table: 'approval', id, chain: 'proof', index: row.sealed_index, member: null });
  }
}

function approvalMembers(original: SealedApproval, row: ApprovalWithRegistration): string[] {
  try {
    const resealed = reseal(APPROVAL, row);
    if (canonicalJson(resealed.sealed as never) === canonicalJson(original as never)) return [];
    return differingMembers(original, { ...row, ...resealed, prefix: 'approvals.' }, 'approval');
  } catch {
    return ['approval'];
  }
}

/** Erasure marks that do not match the journal: a value was removed without an erasure, or the reason was changed. */
function unjournalled({ facts }: Known, eventId: string, erased: OwnEventRow['erased']): string[] {
  return Object.entries(erased ?? {})
    .filter(([path, { at, reason }]) => {
      const journalled = facts.erased.get(erasureKey(eventId, at));
      return !journalled?.paths.has(path) || journalled.reason !== reason;
    })
    .map(([path]) => path);
}

function expectedStatus(
  { unreferencedApprovals, withoutDpu }: Known,
  row: DecisionRow,
  sealed: SealedDecision | null,
  approvals: ApprovalWithRegistration[],
): string {
  if (sealed || withoutDpu.has(row.id)) return 'sealed';
  const kinds = new Set([
    ...approvals.map(({ journalContent }) => parsed(journalContent)?.['kind']),
    ...(unreferencedApprovals.get(row.id) ?? []).map(({ kind }) => kind),
  ]);
  if (kinds.has('rejected')) return 'rejected';
  return kinds.has('approved') ? 'approved' : 'recorded';
}

export const approvalIn = (content: Entry['content']) => content['approval'] as SealedApproval | undefined;

function parsed(content: string | null): JsonObject | null {
  const value = parseJson(content ?? '');
  return isObject(value) ? value : null;
}
