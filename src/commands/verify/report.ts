/** What was found about one document or chain. */
export interface Report {
  /** A file name, or the origin of a chain. */
  subject: string;
  ok: boolean;
  steps: ReportStep[];
  /** One sentence for people in a hurry. */
  conclusion: string;
}

export interface ReportStep {
  verdict: 'pass' | 'fail' | 'absent';
  title: string;
  explanation: string;
}

const SIGNS: Record<ReportStep['verdict'], string> = { pass: 'ok  ', fail: 'FAIL', absent: '--  ' };

export const pass = (title: string, explanation: string): ReportStep => ({
  verdict: 'pass',
  title,
  explanation,
});
export const fail = (title: string, explanation: string): ReportStep => ({
  verdict: 'fail',
  title,
  explanation,
});
export const absent = (title: string, explanation: string): ReportStep => ({
  verdict: 'absent',
  title,
  explanation,
});

/** A chain is as good as the worst that was found about it. */
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
