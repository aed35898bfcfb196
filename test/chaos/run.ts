// npm run chaos: injects random faults and checks that every guarantee holds afterwards.
import { runChaos } from './chaos.ts';

const USAGE = `Starts two APIs and two workers on a database of their own, kills, pauses and cuts them off at random while they are used,
and then checks every promise.

  npm run chaos                      a minute of it
  SECONDS=300 SEED=7 npm run chaos   as long, and in the same order, as one likes
  npm run chaos -- --failover        a synchronous standby takes the place of the database in the middle

Exit code 0: every promise was kept. 1: one was broken; it says which, and the seed.
`;

const [argument] = process.argv.slice(2);
const failover = argument === '--failover';
if (argument !== undefined && !failover) {
  const isHelp = argument === '--help' || argument === '-h';
  process[isHelp ? 'stdout' : 'stderr'].write(isHelp ? USAGE : `Unknown argument ${argument}.\n\n${USAGE}`);
  process.exit(isHelp ? 0 : 2);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const number = (name: string, otherwise: number): number => {
  const given = process.env[name];
  if (given === undefined || given === '') return otherwise;
  if (!/^\d+$/.test(given)) throw new Error(`${name} must be a whole number`);
  return Number(given);
};

const seconds = number('SECONDS', 60);
const seed = number('SEED', Date.now() % 1_000_000);
const say = (line: string) => void process.stdout.write(`${line}\n`);
const { violations, ...counts } = await runChaos({ seconds, seed, say, failover });
say(JSON.stringify(counts));
for (const violation of violations) say(`BROKEN: ${violation}`);
say(violations.length === 0 ? 'every promise was kept' : `again with SEED=${seed} SECONDS=${seconds}`);
process.exit(violations.length === 0 ? 0 : 1);
