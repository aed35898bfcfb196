/**
 * `npm run fuzz -- [--seconds N] [--seed N]`: compares both verifiers until the time is up, an hour by default. Documents on which
 * they disagree are kept in `fuzz-failures/`; the exit code is then 1.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { PythonProcess } from '../verifiers/python-process.ts';
import { tryRound } from './fuzzer.ts';
import { Random } from './random.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string' }, seed: { type: 'string' } } });
const seconds = Number(values.seconds ?? 3600);
const first = Number(values.seed ?? Date.now() % 1_000_000_000);
if (!(seconds > 0) || !Number.isSafeInteger(first)) {
  process.stderr.write('--seconds must be a positive number, --seed a whole number\n');
  process.exit(2);
}
process.stdout.write(`seed ${first}\n`);

const python = new PythonProcess();
const end = performance.now() + seconds * 1_000;
const verdicts = new Map<string, number>();
let documents = 0;
let failures = 0;
for (let seed = first; performance.now() < end; seed++) {
  const round = await tryRound(new Random(seed), python);
  documents += round.count;
  for (const line of round.verdicts) {
    const verdict = line.split(':', 1)[0]!;
    verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
  }
  if (!round.found) continue;
  failures++;
  const folder = `fuzz-failures/${seed}`;
  mkdirSync(folder, { recursive: true });
  round.found.documents.forEach((bytes, i) => {
    writeFileSync(`${folder}/${i}.json`, bytes);
  });
  process.stdout.write(`--seed ${seed}: ${round.found.what}\nkept in ${folder}\n`);
}
await python.end();
const counted = [...verdicts].map(([verdict, count]) => `${count} ${verdict}`).join(', ');
process.stdout.write(`${documents} documents (${counted}), ${failures} failures\n`);
process.exitCode = failures > 0 ? 1 : 0;
