import { SigningRefused } from '../../domain/ledger/checkpoints/keys/refused.ts';
import { type CenterReport, verifyChains } from '../../domain/ledger/verify/center.ts';
import { drain } from '../../domain/ledger/verify/walk.ts';
import { parseOrigin, type TrustedKey } from '../../proof-kit/index.ts';
import type { DatabaseTarget } from './options.ts';
import { centerReports, type Report } from './report.ts';
import { type OpenSource, openSource } from './source.ts';

/** Every chain of a database, verified as the service itself verifies those of a center. */
export async function verifyDatabase(
  target: DatabaseTarget,
  trusted: TrustedKey[] | undefined,
): Promise<Report[]> {
  const source = await openSource(target, trusted);
  try {
    const reports: Report[] = [];
    for await (const { label, result } of verifyEverything(source))
      reports.push(...centerReports(label, result));
    return reports;
  } finally {
    await source.close();
  }
}

interface VerifiedCenter {
  centerId: number | null;
  /** Its domain, or `service` for what belongs to no center. */
  label: string;
  result: CenterReport;
}

/** The platform's own chains, then those of every center that has, or had, any. */
export async function* verifyEverything(source: OpenSource): AsyncGenerator<VerifiedCenter> {
  // One that cannot be read is told of every chain.
  await source.file.refresh().catch((error: unknown) => {
    if (!(error instanceof SigningRefused)) throw error;
  });
  const { rows } = await source.db.query<{ id: number | null; label: string | null }>(
    `SELECT n.id, c.center_domain AS label
     FROM (SELECT NULL::int AS id
           UNION SELECT center_id FROM ledger_chain
           UNION SELECT unnest($1::int[])
           UNION SELECT id FROM center c WHERE EXISTS (SELECT FROM dpu d WHERE d.center_id = c.id)
                                            OR EXISTS (SELECT FROM decision_event e WHERE e.center_id = c.id)
                                            OR EXISTS (SELECT FROM audit_entry a WHERE a.center_id = c.id)) n
     LEFT JOIN center c ON c.id = n.id ORDER BY n.id NULLS FIRST`,
    [[...source.file.origins()].flatMap(centerIn)],
  );
  for (const { id, label } of rows) {
    const result = await drain(verifyChains(source, id));
    yield { centerId: id, label: label ?? (id === null ? 'service' : `center ${id}`), result };
  }
}

/** The center of an origin; none for the head log and for the platform's own chains. */
function centerIn(origin: string): number[] {
  const center = parseOrigin(origin)?.chain?.center;
  return center ? [center] : [];
}
