import type pg from 'pg';
import type { App } from '../../src/app.ts';
import { runAs } from './server.ts';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: PlanNode[];
}

export interface Statement {
  text: string;
  /** The number of rows returned. */
  rows: number;
  /** The tables that it scanned sequentially. */
  scans: string[];
}

/** Statements of the service that are not part of the caller's work: notifications, the declaration of centers. */
const BACKGROUND = ['SELECT pg_notify(', "set_config('cs.centers'"];

/**
 * The server reports the plan of each statement to its client: the plan that ran, with row-level security. Applies to
 * connections opened afterwards.
 */
export async function reportPlans(adminUrl: string): Promise<void> {
  const name = new URL(adminUrl).pathname.slice(1);
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_level': 'notice',
    'auto_explain.log_format': 'json',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_buffers': 'off',
    'auto_explain.log_parameter_max_length': '0',
  };
  const set = Object.entries(settings).map(
    ([key, value]) => `ALTER DATABASE ${name} SET ${key} = '${value}'`,
  );
  await runAs(adminUrl, ["LOAD 'auto_explain'", ...set].join(';'));
}

/**
 * Runs a function and returns every statement of the App that searched for rows meanwhile, to read or delete them. The App must
 * have been started with `reportsPlans`.
 */
export async function statementsOf(
  { db }: Pick<App, 'db'>,
  work: () => Promise<unknown>,
): Promise<Statement[]> {
  const seen: Statement[] = [];
  const clients = new Set<pg.PoolClient>();
  const note = ({ message = '' }: { message: string | undefined }) => {
    const report = /^duration: .* plan:\n(?<plan>\{.*)/s.exec(message)?.groups;
    if (!report) return;
    const { 'Query Text': text, Plan: plan } = JSON.parse(report['plan']!) as {
      'Query Text': string;
      Plan: PlanNode;
    };
    const inBackground = BACKGROUND.some((part) => text.includes(part));
    if (!/^\s*(SELECT|WITH|DELETE)\b/i.test(text) || inBackground) return;
    seen.push({ text, rows: plan['Actual Rows'] * plan['Actual Loops'], scans: [...sequentialScans(plan)] });
  };
  const observe = (client: pg.PoolClient) => {
    if (clients.has(client)) return;
    clients.add(client);
    client.on('notice', note);
  };
  db.pool.on('acquire', observe);
  try {
    await work();
  } finally {
    db.pool.off('acquire', observe);
    for (const client of clients) client.off('notice', note);
  }
  return seen;
}

function* sequentialScans(node: PlanNode): Generator<string> {
  if (node['Node Type'] === 'Seq Scan' && node['Actual Loops'] > 0) yield node['Relation Name']!;
  for (const child of node.Plans ?? []) yield* sequentialScans(child);
}
