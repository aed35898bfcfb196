import type { NodeId, NodeLookup } from '@countersign/proof-kit';
import { sql } from '../../../db/sql.ts';
import { HistoryChanged } from './finding.ts';
import type { Queryable } from './queryable.ts';

const LEDGER_NODES = sql('ledger_nodes', { level: 'smallint', index: 'int', hash: 'text' })`
  SELECT n.level, n.index, n.hash
  FROM (SELECT DISTINCT * FROM unnest($levels::smallint[], $indexes::int[])) AS w(level, index)
  JOIN ledger_node n ON n.chain_id = $chainId AND n.level = w.level AND n.index = w.index`;

/** Fetches stored nodes of a chain's tree by coordinates, in one query. */
export async function readNodes(db: Queryable, chainId: number, wanted: NodeId[]): Promise<NodeLookup> {
  const rows = await LEDGER_NODES.rows(db, {
    chainId,
    levels: wanted.map((node) => node.level),
    indexes: wanted.map((node) => node.index),
  });
  const hashes = new Map(rows.map((row) => [`${row.level}/${row.index}`, Buffer.from(row.hash, 'hex')]));
  return (level, index) => {
    const hash = hashes.get(`${level}/${index}`);
    if (!hash) throw new HistoryChanged('damaged_tree', 0, `node ${level}/${index} of the tree is missing`);
    return hash;
  };
}
