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
}

/** Runs something and answers with every statement that looked for rows meanwhile, to read or to delete them. */
export async function statementsOf(run: () => Promise<unknown>): Promise<Statement[]> {
  const seen: Statement[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [first, second] = args as [string | { name?: string; text?: string; values?: unknown[] }, unknown];
    const text = typeof first === 'string' ? first : (first?.text ?? '');
    const values = (typeof first === 'object' ? first.values : undefined) ?? second;
    // Whether the database still answers is asked all the time, whatever runs.
    const asksWhetherItAnswers =
      text === 'SELECT 1' || (typeof first === 'object' && first?.name === 'watch');
    if (/^\s*(SELECT|WITH|DELETE)\b/i.test(text) && !asksWhetherItAnswers)
      seen.push({ text, values: Array.isArray(values) ? values : [] });
    return (query as (...rest: unknown[]) => unknown).apply(this, args);
  } as typeof query;
  try {
    await run();
  } finally {
    pg.Client.prototype.query = query;
  }
  return seen;
}

/** The tables that a statement would read from end to end. */
export async function sequentialScans(pool: Pool, { text, values }: Statement): Promise<string[]> {
  const { rows } = await pool.query({ text: `EXPLAIN (FORMAT JSON) ${text}`, values });
  const scans: string[] = [];
  const walk = (node: PlanNode) => {
    if (node['Node Type'] === 'Seq Scan') scans.push(node['Relation Name']!);
    for (const child of node.Plans ?? []) walk(child);
  };
  walk(rows[0]['QUERY PLAN'][0].Plan);
  return scans;
}
