// npm run bench [-- group or scenario …]: compares the service with its limits in one run on this machine.
import { inspect } from 'node:util';
import { compare } from './harness/compare.ts';
import { makeProgress } from './harness/progress.ts';
import { keepForMyself, publish } from './harness/report.ts';
import { describeRun, type Findings } from './harness/results.ts';
import type { Scenario, Survey } from './harness/scenario.ts';
import { makeStages } from './harness/stages.ts';
import { tellStolen, watchStolen } from './harness/stolen.ts';
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
const stolenSince = watchStolen();
const findings: Findings = { comparisons: [], growth: [], memory: [] };
const failed: string[] = [];
try {
  for (const scenario of chosen) {
    const say = progress.next(scenario.name);
    say(scenario.title);
    try {
      const found = await run(scenario, say);
      for (const { ours, ratio, target, stolen } of found.comparisons ?? []) {
        const p99 = ours.p99 ? `, p99 ${Math.round(ours.p99)} ms` : '';
        say(
          `${Math.round(ours.rate)}/s, ${ratio.toFixed(2)} of the limit (target ${target})${p99}${tellStolen(stolen)}`,
        );
      }
      findings.comparisons.push(...(found.comparisons ?? []));
      findings.growth.push(...(found.growth ?? []));
      findings.memory.push(...(found.memory ?? []));
    } catch (error) {
      // Keep the results of the other scenarios.
      failed.push(scenario.name);
      process.stderr.write(`${scenario.name} failed: ${inspect(error)}\n`);
      await stages.close();
    }
  }
} finally {
  await stages.close();
  progress.end();
}
const results = describeRun(findings, progress.seconds(), stolenSince());
if (words.length === 0 && failed.length === 0) publish(results);
else keepForMyself(results);
process.stdout.write(`${tables(results)}\n`);
if (failed.length > 0) process.stderr.write(`Failed: ${failed.join(', ')}\n`);
process.exit(failed.length > 0 ? 1 : 0);

async function run(scenario: Scenario | Survey, say: (line: string) => void): Promise<Partial<Findings>> {
  const stage = await stages.stageFor(scenario);
  if ('survey' in scenario) return scenario.survey(stage, say);
  return { comparisons: [await compare(scenario, stage, say)] };
}
