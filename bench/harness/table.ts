// The results as Markdown tables, for the terminal and docs/benchmarks.md.
import type { ComparisonResult, Findings, GrowthResult, MemoryResult } from './results.ts';

const whole = (value: number) => Math.round(value).toLocaleString('en');
const milliseconds = (value: number | undefined) =>
  value === undefined ? '–' : value >= 99.5 ? whole(value) : value.toPrecision(2);
/** A missed target is shown as clearly as a met one. */
const verdict = (reached: boolean, figure: string) => (reached ? figure : `**${figure}** (missed)`);

function markdown(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function comparisonTable(results: ComparisonResult[]): string {
  const head = ['scenario', 'ours', 'p50 ms', 'p99 ms', 'limit', "limit's figure", 'ratio', 'target'];
  const rows = results.flatMap(({ title, unit, ours, limit, ratio, target, p99TargetMs, ceiling }) => {
    const row = [
      title,
      `${whole(ours.rate)} ${unit}`,
      milliseconds(ours.p50),
      verdict(p99TargetMs === undefined || ours.p99! < p99TargetMs, milliseconds(ours.p99)),
      limit.what,
      whole(limit.rate),
      verdict(ratio >= target, ratio.toFixed(2)),
      p99TargetMs ? `at least ${target}, p99 under ${p99TargetMs} ms` : `at least ${target}`,
    ];
    if (!ceiling) return [row];
    return [row, ['', '', '', '', ceiling.what, whole(ceiling.rate), ceiling.ratio.toFixed(2), '–']];
  });
  return markdown(head, rows);
}

function growthTable(results: GrowthResult[]): string {
  const { of, sizes } = results[0]!;
  const head = [`p50 in ms, by number of ${of}`, ...sizes.map(whole), 'ratio', 'target'];
  const rows = results.map(({ call, p50, ratio, target }) => [
    call,
    ...p50.map(milliseconds),
    verdict(target === null || ratio <= target, ratio.toFixed(2)),
    target === null ? '–' : `at most ${target}`,
  ]);
  return markdown(head, rows);
}

function memoryTable(results: MemoryResult[]): string {
  const rows = results.map(({ process, work, peakMiB, targetMiB }) => [
    process,
    work,
    verdict(peakMiB < targetMiB, `${whole(peakMiB)} MiB`),
    `under ${targetMiB} MiB`,
  ]);
  return markdown(['process', 'while', 'most memory (RSS)', 'target'], rows);
}

/** One table for comparisons, one for each growth measurement, one for memory, as available. */
export function tables({ comparisons, growth, memory }: Findings): string {
  const grown = Map.groupBy(growth, ({ scenario }) => scenario);
  return [
    comparisons.length > 0 && comparisonTable(comparisons),
    ...[...grown.values()].map(growthTable),
    memory.length > 0 && memoryTable(memory),
  ]
    .filter((table) => table !== false)
    .join('\n\n');
}
