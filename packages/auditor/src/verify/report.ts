/** A row of the service that differs from what was sealed. */
export interface Difference {
  table: string;
  id: string;
  /** The chain that holds the sealed version: a domain of the center, or `0/journal` for the platform's own journal. */
  chain: string;
  /** The record that differs; null if no record mentions the row. */
  index: number | null;
  /** What differs; null if the whole row is missing or should not exist. */
  member: string | null;
}

/** The result for one document or chain. */
export interface Report {
  /** A file name, or the origin of a chain. */
  subject: string;
  ok: boolean;
  steps: ReportStep[];
  /** A one-sentence summary. */
  conclusion: string;
  chainLength?: number;
  /** The first bad index; null if all is intact. */
  brokenAt?: number | null;
  /** Rows that differ from the chain. */
  differences?: Difference[];
  /** Weeks of webhook events that are archived and were not read. */
  archivedWeeks?: string[];
}

export interface ReportStep {
  verdict: 'pass' | 'fail' | 'absent';
  title: string;
  explanation: string;
}

const SIGNS: Record<ReportStep['verdict'], string> = { pass: 'ok  ', fail: 'FAIL', absent: '--  ' };

const step =
  (verdict: ReportStep['verdict']) =>
  (title: string, explanation: string): ReportStep => ({ verdict, title, explanation });
export const pass = step('pass');
export const fail = step('fail');
export const absent = step('absent');

/** The chains of a center that has any, each with its result. */
export function centerReports(
  label: string,
  { chains, differences }: CenterFindings,
  computedBy = 'their hashes computed anew',
): Report[] {
  const known = chains.filter(({ valid, genesisHash }) => !valid || genesisHash !== null);
  const reports = known.map((chain) => {
    const own = differences.filter((difference) => difference.chain === chain.domain);
    const { domain, chainLength, brokenAt, finding } = chain;
    const steps = [checkWalk(chain, computedBy), checkSigned(finding), checkRows(own)];
    return { ...chainReport(`${label} / ${domain}`, steps), chainLength, brokenAt, differences: own };
  });
  const elsewhere = differences.filter(({ chain }) => !known.some(({ domain }) => domain === chain));
  if (elsewhere.length === 0) return reports;
  return [...reports, { ...chainReport(`${label} / rows`, [checkRows(elsewhere)]), differences: elsewhere }];
}

/** The visible part of a chain's result. */
export interface Chain {
  domain: string;
  valid: boolean;
  chainLength: number;
  genesisHash: string | null;
  brokenAt: number | null;
  /** The signed statement about the chain that no longer holds, if that is the fault; a server shows it only in its log. */
  finding?: { kind: string; index: number; message: string } | null;
}

/** The same shape as in the service's responses. */
export interface CenterFindings {
  chains: Chain[];
  differences: Difference[];
}

function checkWalk({ valid, chainLength, brokenAt }: Chain, computedBy: string): ReportStep {
  const title = 'Every record is there and has its hash, its link and its row';
  if (valid) return pass(title, `${chainLength} records were read and ${computedBy}.`);
  return fail(title, `It is broken at record ${brokenAt}; ${chainLength} records are there.`);
}

function checkSigned(finding: Chain['finding']): ReportStep {
  const title = 'The chain holds everything that was signed about it';
  if (finding) return fail(title, `At record ${finding.index}: ${finding.kind}: ${finding.message}.`);
  return pass(
    title,
    'It agrees with its checkpoints, with the file outside the database and with the head log.',
  );
}

function checkRows(differences: Difference[]): ReportStep {
  const title = 'What people see is what was sealed';
  if (differences.length === 0) return pass(title, 'Every row agrees with the chain.');
  const lines = differences.map(
    ({ table, id, index, member }) =>
      `${table} ${id}: ${member ?? 'the whole row'}, ${index === null ? 'of which no record speaks' : `by record ${index}`}`,
  );
  return fail(title, lines.join('\n        '));
}

/** A chain is as good as its worst finding. */
export function chainReport(subject: string, steps: ReportStep[]): Report {
  const ok = steps.every(({ verdict }) => verdict !== 'fail');
  return { subject, ok, steps, conclusion: ok ? 'The chain is intact.' : 'The chain is NOT what it was.' };
}

export function printReports(reports: Report[], asJson: boolean): string {
  const ok = reports.every((report) => report.ok);
  if (reports.length === 0 && !asJson) return 'There are no chains yet.\n';
  if (asJson) return `${JSON.stringify({ ok, reports }, null, 2)}\n`;
  return `${reports.map(printReport).join('\n')}${reports.length > 1 ? `\n${summary(reports)}\n` : ''}`;
}

function printReport({ subject, steps, conclusion }: Report): string {
  const lines = steps.map(
    ({ verdict, title, explanation }) => `  ${SIGNS[verdict]}  ${title}\n        ${explanation}\n`,
  );
  return `${subject}\n${lines.join('')}  ${conclusion}\n`;
}

function summary(reports: Report[]): string {
  const bad = reports.filter(({ ok }) => !ok);
  if (bad.length === 0) return `All ${reports.length} hold.`;
  return `${bad.length} of ${reports.length} do not hold: ${bad.map(({ subject }) => subject).join(', ')}`;
}
