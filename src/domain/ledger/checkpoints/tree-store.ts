import type { Pool, PoolClient } from '../../../db/database.ts';
import type { NodeId, NodeLookup, TreeNode } from '../../../proof-kit/index.ts';
import { HistoryChanged } from './finding.ts';

export type Queryable = Pick<Pool | PoolClient, 'query'>;

/** Fetches stored nodes of a chain's tree by their coordinates, all in one query. */
export async function readNodes(db: Queryable, chainId: number, wanted: NodeId[]): Promise<NodeLookup> {
  const { rows } = await db.query<{ level: number; index: number; hash: string }>({
    name: 'ledger_nodes',
    text: `SELECT n.level, n.index, n.hash
           FROM (SELECT DISTINCT * FROM unnest($2::smallint[], $3::int[])) AS w(level, index)
           JOIN ledger_node n ON n.chain_id = $1 AND n.level = w.level AND n.index = w.index`,
    values: [chainId, wanted.map((node) => node.level), wanted.map((node) => node.index)],
  });
  const hashes = new Map(rows.map((row) => [`${row.level}/${row.index}`, Buffer.from(row.hash, 'hex')]));
  return (level, index) => {
    const hash = hashes.get(`${level}/${index}`);
    if (!hash) throw new HistoryChanged('damaged_tree', 0, `node ${level}/${index} of the tree is missing`);
    return hash;
  };
}

/** Adds nodes in one statement: all of them or none. */
export async function insertNodes(db: Queryable, chainId: number, nodes: TreeNode[]): Promise<void> {
  await db.query({
    name: 'ledger_nodes_insert',
    text: `INSERT INTO ledger_node (chain_id, level, index, hash)
           SELECT $1, * FROM unnest($2::smallint[], $3::int[], $4::text[])`,
    values: [
      chainId,
      nodes.map((node) => node.level),
      nodes.map((node) => node.index),
      nodes.map((node) => Buffer.from(node.hash).toString('hex')),
    ],
  });
}

/** How many records the stored tree covers. */
export async function storedSize(db: Queryable, chainId: number): Promise<number> {
  const { rows } = await db.query<{ size: number }>(
    'SELECT coalesce(max(index) + 1, 0) AS size FROM ledger_node WHERE chain_id = $1 AND level = 0',
    [chainId],
  );
  return rows[0]!.size;
}
