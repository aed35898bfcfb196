import { runChaos } from './chaos.ts';

const number = (name: string, otherwise: number): number => {
  const given = process.env[name];
  if (given === undefined || given === '') return otherwise;
  if (!/^\d+$/.test(given)) throw new Error(`${name} must be a whole number`);
  return Number(given);
};

const seconds = number('SECONDS', 60);
const seed = number('SEED', Date.now() % 1_000_000);
const say = (line: string) => void process.stdout.write(`${line}\n`);
const { violations, ...counts } = await runChaos({ seconds, seed, say });
say(JSON.stringify(counts));
for (const violation of violations) say(`BROKEN: ${violation}`);
say(violations.length === 0 ? 'every promise was kept' : `again with SEED=${seed} SECONDS=${seconds}`);
process.exit(violations.length === 0 ? 0 : 1);
