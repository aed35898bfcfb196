import { readFileSync, writeFileSync } from 'node:fs';
import { picture } from './picture/picture.ts';
import { place, type Results, save } from './results.ts';
import { tellStolen } from './stolen.ts';
import { tables } from './table.ts';

/** The section of the guide that a benchmark run writes, up to the next heading or the end. */
const RESULTS = /(?<=\n## Results\n\n)[\s\S]*?(?=\n## |$)/;

/** The committed results of a full run: numbers, picture, and the tables in docs/benchmarks.md. */
export function publish(results: Results): void {
  save('results.json', results);
  writeFileSync(place('../docs/images/benchmarks.svg'), picture(results));
  const guide = place('../docs/benchmarks.md');
  const text = readFileSync(guide, 'utf8');
  if (!RESULTS.test(text)) throw new Error('docs/benchmarks.md has no section "Results".');
  writeFileSync(
    guide,
    text.replace(RESULTS, () => section(results)),
  );
}

const PICTURE = '![Ours beside the limits, growth and memory](images/benchmarks.svg)';

function section(results: Results): string {
  const { machine, measuredAt, seconds, stolen } = results;
  const about = `Measured on ${measuredAt.slice(0, 10)} in ${seconds} s: ${machine.cores} cores (${machine.processor}), \
${machine.memoryGiB} GiB, Node ${machine.node.slice(1)}, load, service and PostgreSQL on the same machine${tellStolen(stolen)}.`;
  return `${PICTURE}\n\n${about}\n\n${tables(results)}\n`;
}

/** A run of single scenarios does not change the results of the full run. */
export function keepForMyself(results: Results): void {
  save('results.local.json', results);
}
