import { readFileSync, writeFileSync } from 'node:fs';
import { picture } from './picture/picture.ts';
import { place, type Results, save } from './results.ts';
import { tellStolen } from './stolen.ts';
import { tables } from './table.ts';

/** The parts of a file that a benchmark run writes. */
const MARKED = /(<!-- bench:begin[^>]*-->\n)[\s\S]*?(\n<!-- bench:end -->)/;

/** The committed results of a full run: numbers, picture, and the table in the project's README. */
export function publish(results: Results): void {
  save('results.json', results);
  writeFileSync(place('results.svg'), picture(results));
  const readme = place('../README.md');
  const text = readFileSync(readme, 'utf8');
  if (!MARKED.test(text)) throw new Error('The README has lost the marks of the benchmark table.');
  writeFileSync(
    readme,
    text.replace(MARKED, (_, begin, end) => `${begin}${section(results)}${end}`),
  );
}

const PICTURE = '![Ours beside the limits, growth and memory](bench/results.svg)';

function section(results: Results): string {
  const { machine, measuredAt, seconds, stolen } = results;
  const about = `Measured on ${measuredAt.slice(0, 10)} in ${seconds} s: ${machine.cores} cores (${machine.processor}), \
${machine.memoryGiB} GiB, Node ${machine.node.slice(1)}, load, service and PostgreSQL on the same machine${tellStolen(stolen)}.`;
  return `${PICTURE}\n\n${about}\n\n${tables(results)}`;
}

/** A run of single scenarios does not change the results of the full run. */
export function keepForMyself(results: Results): void {
  save('results.local.json', results);
}
