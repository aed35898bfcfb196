// The journal: a chain of each center with a small record for every change that could otherwise be removed without a trace.

import { type SealedAuthor, sealAuthor } from '@countersign/proof-kit/author';
import { canonicalJson, type JsonValue } from '@countersign/proof-kit/canonical';
import { recordset } from '../../../db/recordset.ts';
import { execute, type Statement, sql, type Transaction } from '../../../db/sql.ts';
import { newSalt, sealTools } from '../../../lib/seal-tools.ts';
import type { Author } from '../../principal.ts';
import type { Place } from './chains.ts';

/**
 * What an entry records:
 * - `recorded`: a decision was submitted; holds the digest of its sealed event
 * - `approved`: the first of two approvals; `rejected`: a final rejection or expiry
 * - `claimed`: the caller is about to execute a sealed decision
 * - `outcome`: a sealed decision was executed or failed
 * - `erased`: values were erased from a decision or a record
 * - `policy`: a version of a policy
 * - `dpu`: the mutable part of platform records: level, reference, tags and notes
 * - `key`: a signing key was added or retired
 * - `group`: an approval group was created, changed or deleted; `delegation`: one was granted or ended
 * - `mandate`: a mandate was revoked
 * - `loss`: an administrator accepted that signed records of a chain, or entries of the log, are lost
 * - `escalated`: a seat of a decision was still open at its deadline
 */
type JournalKind =
  | 'recorded'
  | 'approved'
  | 'rejected'
  | 'claimed'
  | 'outcome'
  | 'erased'
  | 'policy'
  | 'dpu'
  | 'key'
  | 'group'
  | 'delegation'
  | 'mandate'
  | 'loss'
  | 'escalated';

/** Must never contain an unsalted digest of data that can be erased. */
export type JournalContent = { kind: JournalKind } & { [name: string]: JsonValue | undefined };

/** A null center means the platform's own journal. */
export interface JournalEntry {
  centerId: number | null;
  content: JournalContent;
  /** The author of the entry, if the content names one. */
  author?: KeptAuthor;
  /** The people of a group or delegation, if the content names them. */
  people?: KeptPeople;
}

/** A person whom an entry names by a digest, with what its disclosure needs. */
export interface KeptPerson {
  role: 'member' | 'from' | 'to';
  id: string;
  salt: string;
}

interface KeptPeople {
  /** The group or delegation. */
  subject: string;
  people: readonly KeptPerson[];
}

/** What is stored about an author so that the id can be disclosed later. */
export interface KeptAuthor extends Author {
  salt: string | null;
  /** The event, record or policy that the entry is about. */
  subject: string;
  /** Who confirmed what the author requested. */
  confirmer?: Pick<KeptAuthor, 'id' | 'salt'>;
}

/** The author as named in the entry's content, and the stored data behind it. */
export function newAuthor(subject: string, author: Author): { by: SealedAuthor; author: KeptAuthor } {
  const salt = author.id === undefined ? null : newSalt();
  const { sealed } = sealAuthor(author, { ...sealTools, salt: () => salt! });
  return { by: sealed, author: { ...author, salt, subject } };
}

/** The author as the entry's content must name it, recomputed from the stored data. */
export function keptAuthor({ kind, id, salt }: Omit<KeptAuthor, 'subject'>): SealedAuthor {
  return sealAuthor({ kind, id }, { ...sealTools, salt: () => salt ?? '' }).sealed;
}

/** An entry whose content names its author, and who confirmed it, by the digests of their ids. */
export function authoredEntry(
  centerId: number | null,
  subject: string,
  { author: plain, confirmedBy, content }: { author: Author; confirmedBy?: Author; content: JournalContent },
): JournalEntry {
  const { by, author } = newAuthor(subject, plain);
  const second = confirmedBy && newAuthor(subject, confirmedBy);
  const named = {
    ...content,
    by: by as unknown as JsonValue,
    ...(second && { confirmedBy: second.by as unknown as JsonValue }),
  };
  return {
    centerId,
    content: by._sd ? { ...named, _sd_alg: 'sha-256' } : named,
    author: { ...author, ...(second && { confirmer: second.author }) },
  };
}

/** The exact text that is hashed. */
export function journalText(content: JournalContent): string {
  return canonicalJson(content);
}

const APPEND = sql('append_journal', { chainId: 'int', index: 'int', hash: 'text', previousHash: 'text?' })`
  SELECT a.chain_id AS "chainId", a.index, a.hash, a.previous_hash AS "previousHash"
  FROM ledger_append_each(
    ARRAY (SELECT ledger_chain_for(c.id, 'journal') FROM unnest($centers::int[]) WITH ORDINALITY AS c(id, place) ORDER BY c.place),
    $counts::int[], $entries::text[], $timestamp::text) a
  ORDER BY a.place`;

/**
 * Appends entries in the caller's transaction, in one round trip. Returns their positions in the order of the entries. The
 * journal heads stay locked until the commit, so call it late.
 */
export async function appendJournal(tx: Transaction, entries: JournalEntry[], at: Date): Promise<Place[]> {
  // A fixed order of centers prevents deadlocks between transactions.
  const order = [...entries.keys()].sort(
    (a, b) => (entries[a]!.centerId ?? 0) - (entries[b]!.centerId ?? 0) || a - b,
  );
  const counts = new Map<number | null, number>();
  for (const { centerId } of entries) counts.set(centerId, (counts.get(centerId) ?? 0) + 1);
  const centers = [...counts.keys()].sort((a, b) => (a ?? 0) - (b ?? 0));
  const timestamp = at.toISOString();
  const rows = await APPEND.rows(tx, {
    centers,
    counts: centers.map((center) => counts.get(center)!),
    entries: order.map((i) => journalText(entries[i]!.content)),
    timestamp,
  });
  const places = new Array<Place>(entries.length);
  order.forEach((i, n) => {
    places[i] = { ...rows[n]!, timestamp };
  });
  const authors = entries.flatMap(({ centerId, content, author }, i) => {
    const { chainId, index } = places[i]!;
    return author ? [{ ...author, centerId, entry: content.kind, chainId, index }] : [];
  });
  if (authors.length > 0) await execute(tx, authorsStatement(authors));
  const people = entries.flatMap(({ centerId, people }, i) => {
    const { chainId, index } = places[i]!;
    return people ? [{ ...people, centerId, chainId, index }] : [];
  });
  if (people.length > 0) await execute(tx, KEEP_PEOPLE.with({ people: peopleColumns.values(people) }));
  return places;
}

/** The author of an entry, by the entry's position on its journal. */
interface AuthorRow extends KeptAuthor {
  chainId: number;
  index: number;
  centerId: number | null;
  entry: JournalKind;
}

const authorColumns = recordset<AuthorRow>({
  chainId: 'int',
  index: 'int',
  centerId: 'int',
  subject: 'text',
  entry: 'text',
  kind: 'approved_by_kind',
  id: 'text',
  salt: 'text',
});

const KEEP_AUTHORS = sql('keep_authors')`
  INSERT INTO journal_by (chain_id, index, center_id, subject, kind, by_kind, by_id, salt)
  SELECT "chainId", index, "centerId", subject, entry, kind, id, salt FROM ${authorColumns.from('authors')} a`;

export const authorsStatement = (rows: AuthorRow[]): Statement =>
  KEEP_AUTHORS.with({ authors: authorColumns.values(rows) });

const peopleColumns = recordset<KeptPeople & { chainId: number; index: number; centerId: number | null }>({
  chainId: 'int',
  index: 'int',
  centerId: 'int',
  subject: 'text',
  people: 'json',
});

const KEEP_PEOPLE = sql('keep_people')`
  INSERT INTO journal_people (chain_id, index, center_id, subject, people)
  SELECT "chainId", index, "centerId", subject, people FROM ${peopleColumns.from('people')} p`;

const KEEP_AUTHOR_OF_LAST = sql('keep_author_of_last')`
  INSERT INTO journal_by (chain_id, index, center_id, subject, kind, by_kind, by_id, salt, confirmed_by, confirmed_salt)
  SELECT c.id, c.size - 1 - $behind::int, c.center_id, $subject, $entry, $kind::approved_by_kind, $id, $salt,
    $confirmedBy, $confirmedSalt
  FROM ledger_chain c WHERE c.center_id = $centerId::int AND c.domain = 'journal'`;

/**
 * Stores the author of a journal's newest entry, or of the one `behind` entries before it. The transaction must hold the head
 * lock.
 */
export async function storeAuthorOfLatest(
  tx: Transaction,
  centerId: number,
  { kind, id, salt, subject, confirmer }: KeptAuthor,
  { entry, behind = 0 }: { entry: JournalKind; behind?: number },
): Promise<void> {
  await KEEP_AUTHOR_OF_LAST.run(tx, {
    centerId,
    behind,
    subject,
    entry,
    kind,
    id: id ?? null,
    salt,
    confirmedBy: confirmer?.id ?? null,
    confirmedSalt: confirmer?.salt ?? null,
  });
}
