// npm run bench [-- scenario …]: measures ours beside its limits, in one run on this machine.
import { compare, type Pace } from './harness/compare.ts';
import { type Result, table, writeResults } from './harness/report.ts';
import { openStage } from './harness/stage.ts';
import { scenarios } from './scenarios/index.ts';

const pace: Pace = { warmupSeconds: 3, rounds: 3, secondsEach: 4 };

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !scenarios.some((scenario) => scenario.name === name));
if (unknown.length > 0) {
  const names = scenarios.map((scenario) => scenario.name).join(', ');
  process.stderr.write(`There is no scenario ${unknown.join(', ')}. There are: ${names}\n`);
  process.exit(1);
}
const chosen = scenarios.filter((scenario) => wanted.length === 0 || wanted.includes(scenario.name));

const say = (text: string) => process.stderr.write(`${text}\n`);
const results: Result[] = [];
for (const scenario of chosen) {
  say(`${scenario.name}: ${scenario.title} beside ${scenario.limit}: preparing`);
  const stage = await openStage();
  try {
    const { ours, limit } = await scenario.prepare(stage);
    const comparison = await compare(ours, limit, { ...pace, ...scenario.pace }, (text) =>
      say(`${scenario.name}: ${text}`),
    );
    say(`${scenario.name}: ratio ${comparison.ratio.toFixed(2)}, target ${scenario.target}`);
    results.push({ scenario, ...comparison });
  } finally {
    await stage.close();
  }
}
process.stdout.write(`${table(results)}\n`);
if (wanted.length === 0) writeResults(results);
process.exit(0);
