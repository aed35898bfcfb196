import type { DatabaseTarget } from '@countersign/auditor/verify/options';
import {
  absent,
  centerReports,
  chainReport,
  fail,
  pass,
  type Report,
} from '@countersign/auditor/verify/report';
import { parseOrigin, type TrustedKey } from '@countersign/proof-kit';
import { sql } from '../../db/sql.ts';
import { type CenterReport, verifyChains } from '../../domain/decisions/prove/verify/center.ts';
import { SigningRefused } from '../../domain/ledger/notes/faults.ts';
import { readRefusal } from '../../domain/ledger/signing/state.ts';
import { walkHeadLog } from '../../domain/ledger/verify/head-log.ts';
import { drain } from '../../domain/ledger/verify/walk.ts';
import { type OpenSource, openSource } from './source.ts';

/** Verifies every chain of a database like the service verifies those of a center. */
export async function verifyDatabase(
  target: DatabaseTarget,
  trusted: TrustedKey[] | undefined,
): Promise<Report[]> {
  const source = await openSource(target, trusted);
  try {
    const computedBy = target.fast ? 'their hashes computed by PostgreSQL (--fast)' : undefined;
    const reports: Report[] = [];
    for await (const { label, result } of verifyEverything(source))
      reports.push(...centerReports(label, result, computedBy));
    reports.push(...(await logReports(source)), ...(await archiveReports(source)));
    return reports;
  } finally {
    await source.close();
  }
}

/** The head log, if there is one, and whether anything prevents the service from signing. */
async function logReports(source: OpenSource): Promise<Report[]> {
  const { entries, fault } = await walkHeadLog(source);
  const refused = await readRefusal(source.db);
  if (entries === 0 && fault === null && refused === null) return [];
  const logged = 'Every entry of the head log is the checkpoint of its chain';
  const signing = 'The service signs';
  return [
    chainReport('service / log', [
      fault === null
        ? pass(logged, `${entries} entries were read and their tiles and heads computed anew.`)
        : fail(logged, fault),
      refused === null ? pass(signing, 'Nothing keeps it from signing.') : fail(signing, refused),
    ]),
  ];
}

const ARCHIVED_WEEKS = sql(null, { week: 'text', begins: 'text?', ends: 'text' })`
  SELECT week, begins::text, ends::text FROM event_weeks() WHERE NOT attached ORDER BY ends`;

/** Lists the archived weeks of webhook events, whose tables the service does not read. */
async function archiveReports({ db }: OpenSource): Promise<Report[]> {
  const rows = await ARCHIVED_WEEKS.rows(db, {});
  if (rows.length === 0) return [];
  const weeks = rows.map(({ week, begins, ends }) => `${week} (${begins ?? 'beginning'} to ${ends})`);
  const explanation = [
    `Not read: ${weeks.join(', ')}.`,
    'Webhook events, deliveries and attempts of these weeks are in the archive. No chain depends on them.',
    'To read them, attach a week: npm run partitions -- attach WEEK.',
  ].join('\n        ');
  return [
    {
      subject: 'service / archived weeks',
      ok: true,
      steps: [absent('Every week of webhook events is attached', explanation)],
      conclusion: `${rows.length} archived ${rows.length === 1 ? 'week was' : 'weeks were'} not read.`,
      archivedWeeks: rows.map(({ week }) => week),
    },
  ];
}

interface VerifiedCenter {
  centerId: number | null;
  /** The center's domain, or `service` for chains of the platform. */
  label: string;
  result: CenterReport;
}

const CENTERS = sql(null, { id: 'int?', label: 'text?' })`
  SELECT n.id, c.center_domain AS label
  FROM (SELECT NULL::int AS id
        UNION SELECT center_id FROM ledger_chain
        UNION SELECT unnest($named::int[])
        UNION SELECT id FROM center c WHERE EXISTS (SELECT FROM dpu d WHERE d.center_id = c.id)
                                         OR EXISTS (SELECT FROM decision_event e WHERE e.center_id = c.id)
                                         OR EXISTS (SELECT FROM audit_entry a WHERE a.center_id = c.id)) n
  LEFT JOIN center c ON c.id = n.id ORDER BY n.id NULLS FIRST`;

/** The platform's own chains, then those of every center that has or had any. */
export async function* verifyEverything(source: OpenSource): AsyncGenerator<VerifiedCenter> {
  // An unreadable checkpoint file is reported for every chain.
  await source.file.refresh().catch((error: unknown) => {
    if (!(error instanceof SigningRefused)) throw error;
  });
  const named = [...source.file.origins(), ...(await loggedOrigins(source))].flatMap(centerIn);
  for (const { id, label } of await CENTERS.rows(source.db, { named })) {
    const result = await drain(verifyChains(source, id));
    yield { centerId: id, label: label ?? (id === null ? 'service' : `center ${id}`), result };
  }
}

const LOGGED_ORIGINS = sql(null, { origin: 'text' })`
  SELECT DISTINCT split_part(note, E'\\n', 1) AS origin FROM checkpoint`;

/** The names of the chains in the head log: a renamed chain is reported missing under its old name. */
async function loggedOrigins({ db }: OpenSource): Promise<string[]> {
  const rows = await LOGGED_ORIGINS.rows(db, {});
  return rows.map(({ origin }) => origin);
}

/** The center of an origin; none for the head log and the platform's own chains. */
function centerIn(origin: string): number[] {
  const center = parseOrigin(origin)?.chain?.center;
  return center ? [center] : [];
}
