// npm run bench [-- group or scenario …]: measures ours beside its limits, in one run on this machine.
import { compare } from './harness/compare.ts';
import { makeProgress } from './harness/progress.ts';
import { keepForMyself, publish } from './harness/report.ts';
import { describeRun, type Findings } from './harness/results.ts';
import { makeStages } from './harness/stages.ts';
import { tables } from './harness/table.ts';
import { choose, named, usage } from './scenarios/index.ts';
import { soak } from './soak/soak.ts';

const words = process.argv.slice(2);
if (words[0] === 'soak') {
  await soak(words[1]);
  process.exit(0);
}
const unknown = words.filter((word) => named(word).length === 0);
if (unknown.length > 0) {
  process.stderr.write(`There is no scenario ${unknown.join(', ')}.\n${usage()}\n`);
  process.exit(1);
}

const chosen = choose(words);
const progress = makeProgress(chosen.length);
const stages = makeStages();
const findings: Findings = { comparisons: [], growth: [], memory: [] };
try {
  for (const scenario of chosen) {
    const say = progress.next(scenario.name);
    say(scenario.title);
    const stage = await stages.stageFor(scenario);
    const found: Partial<Findings> =
      'survey' in scenario
        ? await scenario.survey(stage, say)
        : { comparisons: [await compare(scenario, stage, say)] };
    findings.comparisons.push(...(found.comparisons ?? []));
    findings.growth.push(...(found.growth ?? []));
    findings.memory.push(...(found.memory ?? []));
  }
} finally {
  await stages.close();
  progress.end();
}
const results = describeRun(findings, progress.seconds());
if (words.length === 0) publish(results);
else keepForMyself(results);
process.stdout.write(`${tables(results)}\n`);
process.exit(0);
