import type { Scenario, Survey } from '../harness/scenario.ts';
import { approveQuorum, decideUnderMandate } from './approval-rules.ts';
import { approveAndDeliver, approveManyCenters, approveOneCenter, recordAndApprove } from './approve.ts';
import { neighborBesideBacklog } from './backlog.ts';
import { checkpointMemory, signCheckpoints } from './checkpoints.ts';
import { consoleInteraction } from './console.ts';
import { deliver, deliverBesideHanging, deliverPromptly } from './deliver.ts';
import { graphqlDpu } from './graphql-dpu.ts';
import { growthOfCenters } from './growth/centers.ts';
import { growthOfEvents } from './growth/events.ts';
import { growthOfWeeks } from './growth/weeks.ts';
import { neighborBesideImport } from './import.ts';
import { listEvents } from './list-events.ts';
import { memory } from './memory.ts';
import { neighborUnderAttack } from './neighbor.ts';
import { queueJobs, queueJobsReplicated } from './queue.ts';
import { readDpu } from './read-dpu.ts';
import { recordEvent } from './record-event.ts';
import { sealManyChains, sealOneChain } from './seal.ts';
import { verifyWholeCenter, walkOneChain } from './verify.ts';

/** In the order in which they run. Scenarios that share a stage are adjacent, so that only one is open at a time. */
export const groups: Record<string, (Scenario | Survey)[]> = {
  reading: [readDpu, listEvents, graphqlDpu],
  recording: [recordEvent],
  sealing: [sealOneChain, sealManyChains, queueJobs, queueJobsReplicated],
  approving: [
    approveOneCenter,
    approveManyCenters,
    approveQuorum,
    recordAndApprove,
    approveAndDeliver,
    decideUnderMandate,
  ],
  delivering: [deliver, deliverPromptly, deliverBesideHanging],
  checkpoints: [signCheckpoints, checkpointMemory],
  centers: [growthOfCenters],
  weeks: [growthOfWeeks],
  // These share a stage: first the scenarios without the decisions filled in for growth, which have no journal entries.
  verifying: [walkOneChain, verifyWholeCenter],
  growth: [growthOfEvents],
  neighbors: [neighborUnderAttack, neighborBesideBacklog, neighborBesideImport],
  memory: [memory],
  console: [consoleInteraction],
};

const all = Object.values(groups).flat();

/** What an argument names: a group, one scenario, or nothing. */
export function named(word: string): (Scenario | Survey)[] {
  return groups[word] ?? all.filter(({ name }) => name === word);
}

/** The requested scenarios in order, without duplicates; all if none is requested. */
export function choose(words: string[]): (Scenario | Survey)[] {
  if (words.length === 0) return all;
  const wanted = new Set(words.flatMap(named));
  return all.filter((scenario) => wanted.has(scenario));
}

export function usage(): string {
  const lines = Object.entries(groups).map(
    ([group, members]) => `  ${group.padEnd(12)}${members.map(({ name }) => name).join(', ')}`,
  );
  return `Usage: npm run bench -- [group or scenario …]\n${lines.join('\n')}\n  soak [minutes]`;
}
