// The stored Merkle tree over each chain: reading its nodes for proofs, and adding nodes for new records.
import {
  inclusionPlan,
  type NodeId,
  type NodeLookup,
  type ProofPlan,
  planNodes,
  resolvePlan,
} from '@countersign/proof-kit';
import type { Queryable } from '../../../db/database.ts';
import { type RowOf, sql } from '../../../db/sql.ts';
import { sha256Bytes } from '../../../lib/crypto.ts';
import { HistoryChanged } from '../notes/faults.ts';

/** Fetches stored nodes of a chain's tree by coordinates, in one query. */
export async function readNodes(db: Queryable, chainId: number, wanted: NodeId[]): Promise<NodeLookup> {
  return lookupIn(await readNodesOf(db, nodesOf(chainId, wanted)), chainId);
}

/** Nodes of a chain's tree, each once. */
export function nodesOf(chainId: number, nodes: NodeId[]): (NodeId & { chainId: number })[] {
  const unique = new Map(nodes.map((node) => [`${node.level}/${node.index}`, node]));
  return Array.from(unique.values(), (node) => ({ ...node, chainId }));
}

/** Nodes of one chain among those read. Throws HistoryChanged for a node that is missing. */
export const lookupIn =
  (hashes: ReadonlyMap<string, Buffer>, chainId: number): NodeLookup =>
  (level, index) => {
    const hash = hashes.get(nodeKey(chainId, { level, index }));
    if (!hash) throw new HistoryChanged('damaged_tree', 0, `node ${level}/${index} of the tree is missing`);
    return hash;
  };

/** Reads the hashes of a proof from the stored tree, in one query regardless of the chain's length. */
export async function prove(db: Queryable, chainId: number, plan: ProofPlan): Promise<string[]> {
  const lookup = await readNodes(db, chainId, planNodes(plan));
  return resolvePlan(plan, lookup, sha256Bytes).map((hash) => Buffer.from(hash).toString('hex'));
}

export function inclusionHashes(
  db: Queryable,
  chainId: number,
  index: number,
  size: number,
): Promise<string[]> {
  return prove(db, chainId, inclusionPlan(index, size));
}

export interface ChainNode extends NodeId {
  chainId: number;
  hash: Uint8Array;
}

const NODES_OF_CHAINS = sql('nodes_of_chains', {
  chainId: 'int',
  level: 'smallint',
  index: 'int',
  hash: 'text',
})`
  SELECT w.chain_id AS "chainId", w.level, w.index, n.hash
  FROM unnest($chainIds::int[], $levels::smallint[], $indexes::int[]) AS w(chain_id, level, index)
  CROSS JOIN LATERAL (SELECT hash FROM ledger_node
    WHERE chain_id = w.chain_id AND level = w.level AND index = w.index LIMIT 1) n`;

/** Stored nodes of many trees. Missing nodes are omitted. */
export async function readNodesOf(
  db: Queryable,
  wanted: (NodeId & { chainId: number })[],
): Promise<Map<string, Buffer>> {
  const rows = await NODES_OF_CHAINS.rows(db, {
    chainIds: wanted.map(({ chainId }) => chainId),
    levels: wanted.map(({ level }) => level),
    indexes: wanted.map(({ index }) => index),
  });
  return new Map(rows.map((row) => [nodeKey(row.chainId, row), Buffer.from(row.hash, 'hex')]));
}

export const nodeKey = (chainId: number, { level, index }: NodeId) => `${chainId}/${level}/${index}`;

const RECORDS_OF_CHAINS = sql('records_of_chains', {
  chainId: 'int',
  index: 'int',
  hash: 'text',
  previousHash: 'text?',
  /** Whether the hash matches the content. For erased content only the links can be checked. */
  sound: 'boolean',
})`
  SELECT w.chain_id AS "chainId", r.index, r.hash, r.previous_hash AS "previousHash",
    CASE WHEN r.hash = encode(sha256(textsend(r.content || (coalesce(r.previous_hash, '') || r.timestamp))), 'hex')
      THEN true
      ELSE r.content = '' AND EXISTS (SELECT FROM dpu d
        WHERE d.chain_id = r.chain_id AND d.index = r.index AND d.erased_at IS NOT NULL) END AS sound
  FROM unnest($chainIds::int[], $froms::int[], $tos::int[]) AS w(chain_id, first, beyond)
  CROSS JOIN LATERAL (SELECT * FROM ledger_record
    WHERE chain_id = w.chain_id AND index >= w.first AND index < w.beyond ORDER BY index) r`;
export type NewRecord = RowOf<typeof RECORDS_OF_CHAINS>;

/** The records of ranges of many chains, ordered by chain and index. */
export async function readRecordsOf(
  db: Queryable,
  ranges: { chainId: number; from: number; to: number }[],
): Promise<Map<number, NewRecord[]>> {
  const rows = await RECORDS_OF_CHAINS.rows(db, {
    chainIds: ranges.map(({ chainId }) => chainId),
    froms: ranges.map(({ from }) => from),
    tos: ranges.map(({ to }) => to),
  });
  return Map.groupBy(rows, ({ chainId }) => chainId);
}

const INSERT_NODES_OF_CHAINS = sql('insert_nodes_of_chains')`
  INSERT INTO ledger_node (chain_id, level, index, hash)
  SELECT * FROM unnest($chainIds::int[], $levels::smallint[], $indexes::int[], $hashes::text[])`;

/** Inserts nodes in one statement, all or none. */
export async function insertNodesOf(db: Queryable, nodes: ChainNode[]): Promise<void> {
  if (nodes.length === 0) return;
  await INSERT_NODES_OF_CHAINS.run(db, {
    chainIds: nodes.map(({ chainId }) => chainId),
    levels: nodes.map(({ level }) => level),
    indexes: nodes.map(({ index }) => index),
    hashes: nodes.map(({ hash }) => Buffer.from(hash).toString('hex')),
  });
}
