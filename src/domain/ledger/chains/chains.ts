// Writing to chains: lock the heads, link records to them, then write both.
import { hash } from 'node:crypto';
import type { ChainDomain } from '../../../db/generated/prisma/enums.ts';
import { recordset } from '../../../db/recordset.ts';
import { type RowOf, sql, type Transaction } from '../../../db/sql.ts';

/** A center's chains, in the order in which breaks are reported. */
export const chainDomains = ['platform', 'proof', 'audit', 'journal'] as const;

/** Lock order for several heads of one center. The audit chain comes last because units of work write to it last. */
const LOCK_ORDER: Readonly<Record<ChainDomain, number>> = { platform: 0, proof: 1, journal: 2, audit: 3 };

export interface ChainName {
  centerId: number;
  domain: ChainDomain;
}

/** A record's position on its chain. */
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

/** The locked head of a chain. It advances with every record that is linked to it. */
export type Head = RowOf<typeof HEAD_ROW>;
const HEAD_ROW = {
  id: 'int',
  centerId: 'int',
  domain: 'chain_domain',
  size: 'int',
  headHash: 'text?',
  /** The center's line of business. */
  vertical: 'vertical',
  partnerId: 'text?',
} as const;

type IfLocked = 'wait' | 'skip';

/**
 * Locks chain heads until the end of the transaction and returns them, in one round trip if all exist. Missing chains are
 * created first.
 */
export async function lockHeads(tx: Transaction, names: ChainName[], ifLocked: IfLocked): Promise<Head[]> {
  if (names.length === 0) return [];
  const ordered = inLockOrder(names);
  const found = await lock(tx, ordered, ifLocked);
  if (found.length === ordered.length) return found;
  const known = new Set(found.map(chainKey));
  const missing = ordered.filter((name) => !known.has(chainKey(name)));
  await MAKE.run(tx, { names: nameColumns.values(missing) });
  return [...found, ...(await lock(tx, missing, ifLocked))];
}

/** Locks the given chains in one statement, skipping those that do not exist or are already locked. */
export function lockFreeHeads(tx: Transaction, names: ChainName[]): Promise<Head[]> {
  return lock(tx, inLockOrder(names), 'skip');
}

const inLockOrder = (names: ChainName[]) =>
  names.toSorted((a, b) => LOCK_ORDER[a.domain] - LOCK_ORDER[b.domain] || a.centerId - b.centerId);

export const chainKey = ({ centerId, domain }: ChainName) => `${centerId}:${domain}`;

const nameColumns = recordset<ChainName>({ centerId: 'int', domain: 'chain_domain' });

const lockSql = (ifLocked: string) => `
  SELECT c.id, c.center_id AS "centerId", c.domain, c.size, c.head_hash AS "headHash", o.vertical, o.partner_id AS "partnerId"
  FROM ${nameColumns.from('names')} n
  JOIN ledger_chain c ON c.center_id = n."centerId" AND c.domain = n.domain
  JOIN center o ON o.id = n."centerId"
  ORDER BY n.place FOR UPDATE OF c ${ifLocked}`;

const LOCK = sql('lock_heads', HEAD_ROW)`${lockSql('')}`;
const LOCK_FREE = sql('lock_free_heads', HEAD_ROW)`${lockSql('SKIP LOCKED')}`;

const MAKE = sql('make_chains')`
  SELECT ledger_chain_for(n."centerId", n.domain) FROM ${nameColumns.from('names')} n`;

function lock(tx: Transaction, names: ChainName[], ifLocked: IfLocked): Promise<Head[]> {
  return (ifLocked === 'wait' ? LOCK : LOCK_FREE).rows(tx, { names: nameColumns.values(names) });
}

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

/** The part of a statement that inserts linked records and advances their heads. */
export const recordsSql = (records: string, heads: string) => `written AS (
    INSERT INTO ledger_record (chain_id, index, content, previous_hash, hash, timestamp)
    SELECT r."chainId", r.index, r.content, r."previousHash", r.hash, r.timestamp FROM ${records} r
  ), moved AS (
    UPDATE ledger_chain c SET size = h.size, head_hash = h."headHash" FROM ${heads} h WHERE c.id = h.id
  )`;
