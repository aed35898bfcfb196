// Chains as those who write to them know them: heads are locked, links are made behind them, and both are written.
import { hash } from 'node:crypto';
import type { ChainDomain } from '../../db/generated/prisma/enums.ts';
import { recordset } from '../../db/recordset.ts';
import { sql, type Transaction } from '../../db/sql.ts';

/** The chains of a center, in the order in which a break is reported. */
export const chainDomains = ['platform', 'proof', 'audit', 'journal'] as const;

/** The order in which several heads of a center are locked: the audit chain last, where units of work end. */
const LOCK_ORDER: Readonly<Record<ChainDomain, number>> = { platform: 0, proof: 1, journal: 2, audit: 3 };

export interface ChainName {
  centerId: number;
  domain: ChainDomain;
}

/** Where a record came to stand on its chain. */
export interface Place {
  chainId: number;
  index: number;
  hash: string;
  previousHash: string | null;
  timestamp: string;
}

export interface LinkedRecord extends Place {
  content: string;
}

/** The locked head of a chain; it moves on with every link that is made behind it. */
export interface Head extends ChainName {
  id: number;
  size: number;
  headHash: string | null;
  /** The line of business of the center, */
  vertical: string;
  /** and the partner that it belongs to. */
  partnerId: string | null;
}

/** Whether to wait for locked heads or to leave them out. */
type WhenHeld = 'wait' | 'skip';

/**
 * Locks the heads of chains until the end of the transaction and reads them, in one round trip whatever their number. A
 * chain that does not exist yet is made.
 */
export async function lockHeads(tx: Transaction, names: ChainName[], whenHeld: WhenHeld): Promise<Head[]> {
  if (names.length === 0) return [];
  const ordered = inLockOrder(names);
  const found = await lock(tx, ordered, whenHeld);
  if (found.length === ordered.length) return found;
  const known = new Set(found.map(chainKey));
  const missing = ordered.filter((name) => !known.has(chainKey(name)));
  await MAKE.rows(tx, { names: nameColumns.values(missing) });
  return [...found, ...(await lock(tx, missing, whenHeld))];
}

/** Locks those of the chains that exist and are not locked, in one statement. */
export function lockFreeHeads(tx: Transaction, names: ChainName[]): Promise<Head[]> {
  return lock(tx, inLockOrder(names), 'skip');
}

const inLockOrder = (names: ChainName[]) =>
  names.toSorted((a, b) => LOCK_ORDER[a.domain] - LOCK_ORDER[b.domain] || a.centerId - b.centerId);

/** A chain's name as the key of a map. */
export const chainKey = ({ centerId, domain }: ChainName) => `${centerId}:${domain}`;

const nameColumns = recordset<ChainName>({ centerId: 'int', domain: 'chain_domain' });

/** New rows lock their center too: a locked center is detected here, where it can be left out. */
const lockSql = (whenHeld: string) => `
  SELECT c.id, c.center_id AS "centerId", c.domain, c.size, c.head_hash AS "headHash", o.vertical, o.partner_id AS "partnerId"
  FROM ${nameColumns.from('names')} n
  JOIN ledger_chain c ON c.center_id = n."centerId" AND c.domain = n.domain
  JOIN center o ON o.id = n."centerId"
  ORDER BY n.place FOR UPDATE OF c ${whenHeld} FOR KEY SHARE OF o ${whenHeld}`;

const LOCK = sql<Head>('lock_heads')`${lockSql('')}`;
const LOCK_FREE = sql<Head>('lock_free_heads')`${lockSql('SKIP LOCKED')}`;

const MAKE = sql('make_chains')`
  SELECT ledger_chain_for(n."centerId", n.domain) FROM ${nameColumns.from('names')} n`;

function lock(tx: Transaction, names: ChainName[], whenHeld: WhenHeld): Promise<Head[]> {
  return (whenHeld === 'wait' ? LOCK : LOCK_FREE).rows(tx, { names: nameColumns.values(names) });
}

/** Puts a record behind a locked head. */
export function link(head: Head, content: string, timestamp: string): LinkedRecord {
  const { id: chainId, size: index, headHash: previousHash } = head;
  head.size = index + 1;
  head.headHash = hash('sha256', content + (previousHash ?? '') + timestamp, 'hex');
  return { chainId, index, content, previousHash, hash: head.headHash, timestamp };
}

export const recordColumns = recordset<LinkedRecord>({
  chainId: 'int',
  index: 'int',
  content: 'text',
  previousHash: 'text',
  hash: 'text',
  timestamp: 'text',
});
export const headColumns = recordset<Head>({ id: 'int', size: 'int', headHash: 'text' });

/** The part of a statement that writes linked records and moves their heads on. */
export const recordsSql = (records: string, heads: string) => `written AS (
    INSERT INTO ledger_record (chain_id, index, content, previous_hash, hash, timestamp)
    SELECT r."chainId", r.index, r.content, r."previousHash", r.hash, r.timestamp FROM ${records} r
  ), moved AS (
    UPDATE ledger_chain c SET size = h.size, head_hash = h."headHash" FROM ${heads} h WHERE c.id = h.id
  )`;
