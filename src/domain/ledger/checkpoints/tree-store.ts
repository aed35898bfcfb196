import type { NodeId, NodeLookup } from '@countersign/proof-kit';
import { HistoryChanged } from './finding.ts';
import type { Queryable } from './queryable.ts';

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
