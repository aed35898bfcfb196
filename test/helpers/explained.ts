import pg from 'pg';
import type { Pool } from '../../src/db/database.ts';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: PlanNode[];
}

export interface Statement {
  text: string;
  values: unknown[];
  /** The number of rows returned. */
  rows: number;
}

/**
 * Background statements that can run at any moment: health checks, heartbeats, notifications, the check for lost history, the
 * preparation of a new connection.
 */
const BACKGROUND = [
  "current_setting('transaction_read_only')",
  'WITH expired AS (DELETE FROM process_heartbeat',
  'SELECT pg_notify(',
  'FROM history_state',
  "set_config('cs.centers'",
];

/** Runs a function and returns every statement that searched for rows meanwhile, to read or delete them. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const seen: Statement[] = [];
  const { query } = pg.Client.prototype;
  const run = (client: pg.Client, args: unknown[]): unknown =>
    (query as (...rest: unknown[]) => unknown).apply(client, args);
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [first, second] = args as [string | { name?: string; text?: string; values?: unknown[] }, unknown];
    const text = typeof first === 'string' ? first : (first?.text ?? '');
    const values = (typeof first === 'object' ? first.values : undefined) ?? second;
    const inBackground = BACKGROUND.some((part) => text.includes(part)) || text === 'SELECT 1';
    if (!/^\s*(SELECT|WITH|DELETE)\b/i.test(text) || inBackground) return run(this, args);
    const statement: Statement = { text, values: Array.isArray(values) ? values : [], rows: 0 };
    seen.push(statement);
    const note = (results: pg.QueryResult | pg.QueryResult[] | undefined) => {
      statement.rows = Math.max(0, ...[results ?? []].flat().map(({ rows }) => rows.length));
    };
    // A pool uses callbacks; other callers await.
    const callback = args.at(-1);
    if (typeof callback !== 'function') return (run(this, args) as Promise<pg.QueryResult>).then(tap(note));
    return run(this, [
      ...args.slice(0, -1),
      (error: unknown, results: pg.QueryResult) => {
        note(results);
        callback(error, results);
      },
    ]);
  } as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return seen;
}

const tap =
  <T>(note: (value: T) => void) =>
  (value: T): T => {
    note(value);
    return value;
  };

/** The tables that a statement would scan sequentially. */
export async function sequentialScans(
  pool: Pool,
  { text, values }: Pick<Statement, 'text' | 'values'>,
): Promise<string[]> {
  const { rows } = await pool.query({ text: `EXPLAIN (FORMAT JSON) ${text}`, values });
  const scans: string[] = [];
  const walk = (node: PlanNode) => {
    if (node['Node Type'] === 'Seq Scan') scans.push(node['Relation Name']!);
    for (const child of node.Plans ?? []) walk(child);
  };
  walk(rows[0]['QUERY PLAN'][0].Plan);
  return scans;
}
