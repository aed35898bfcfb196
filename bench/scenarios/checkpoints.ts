import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { signDueChains } from '../../src/domain/ledger/signing/round.ts';
import { median, type Side } from '../harness/measure.ts';
import { memoryOf } from '../harness/memory.ts';
import { startProgram } from '../harness/programs.ts';
import type { MemoryResult } from '../harness/results.ts';
import type { Scenario, Survey } from '../harness/scenario.ts';
import type { Stage } from '../harness/stage.ts';

const CHAINS = 1_200;
const MOST_MIB = 300;

/** Chains of this many centers, each with one record. */
async function makeChains({ admin }: Stage): Promise<number[]> {
  const { rows } = await admin.query<{ id: number }>(
    `WITH made AS (
       INSERT INTO center (name, center_domain, vertical, settings)
       SELECT 'Chain ' || n, 'chain-' || n, 'rehabilitation', '{}' FROM generate_series(1, $1::int) n
       ON CONFLICT DO NOTHING RETURNING id)
     SELECT ledger_chain_for(id, 'proof') AS id FROM made`,
    [CHAINS],
  );
  if (rows.length > 0) return rows.map(({ id }) => id);
  const known = await admin.query<{ id: number }>(
    `SELECT l.id FROM ledger_chain l JOIN center c ON c.id = l.center_id
     WHERE c.center_domain LIKE 'chain-%' AND l.domain = 'proof'`,
  );
  return known.rows.map(({ id }) => id);
}

const content = JSON.stringify({ decision: 'x'.repeat(400) });

/** Each chain one record longer. */
async function grow({ admin }: Stage, chains: number[]): Promise<void> {
  await admin.query({
    name: 'bench_grow',
    text: 'SELECT count(*) FROM ledger_append_each($1, $2, $3, $4)',
    values: [chains, chains.map(() => 1), chains.map(() => content), new Date().toISOString()],
  });
}

/** The measured work is repeated until its time is up; preparation does not count. */
function timed(items: number, prepare: () => Promise<unknown>, job: () => Promise<unknown>): Side {
  return {
    async run(seconds) {
      const taken: number[] = [];
      for (let spent = 0; spent < seconds * 1_000; spent += taken.at(-1)!) {
        await prepare();
        const begun = performance.now();
        await job();
        taken.push(performance.now() - begun);
      }
      const all = taken.reduce((sum, ms) => sum + ms, 0);
      return { rate: (items * taken.length) / (all / 1_000), p50: median(taken) };
    },
  };
}

/** The minimum work: the same number of texts signed, written to a file and inserted, without trees or log. */
function bareSigner({ admin }: Stage, path: string): () => Promise<void> {
  const { privateKey } = generateKeyPairSync('ed25519');
  return async () => {
    const notes = Array.from({ length: CHAINS }, (_, i) => {
      const text = `bench.example/chains/${i}/proof\n1\n${randomBytes(32).toString('base64')}\n`;
      return `${text}\n${sign(null, Buffer.from(text), privateKey).toString('base64')}\n`;
    });
    const file = await open(path, 'a');
    await file.write(notes.map((note) => `${JSON.stringify({ note })}\n`).join(''));
    await file.sync();
    await file.close();
    await admin.query({
      name: 'bench_notes',
      text: 'INSERT INTO bench_note (note) SELECT * FROM unnest($1::text[])',
      values: [notes],
    });
  };
}

export const signCheckpoints: Scenario = {
  name: 'sign-checkpoints',
  title: `checkpoints of ${CHAINS.toLocaleString('en')} grown chains, signed into the head log`,
  limit: 'as many texts signed, filed and inserted without any tree',
  unit: 'chains/s',
  target: 0.1,
  async prepare(stage) {
    const chains = await makeChains(stage);
    await stage.admin.query(
      'CREATE TABLE IF NOT EXISTS bench_note (id bigserial PRIMARY KEY, note text NOT NULL)',
    );
    const path = join(tmpdir(), `bare-notes-${process.pid}`);
    await rm(path, { force: true });
    return {
      ours: timed(
        CHAINS,
        () => grow(stage, chains),
        async () => {
          const { made, findings } = await signDueChains(stage.app);
          if (made < CHAINS || findings.size > 0) throw new Error(`only ${made} chains were signed`);
        },
      ),
      limit: timed(CHAINS, async () => {}, bareSigner(stage, path)),
    };
  },
};

const SECONDS = 30;
const EARLY = 10;

/** A worker that signs grown chains every second. */
async function signingWorker(stage: Stage, note: (work: string, peakMiB: number) => void): Promise<void> {
  const chains = await makeChains(stage);
  const worker = await stage.worker({ CHECKPOINT_SECONDS: '1' });
  for (let second = 1; second <= SECONDS; second++) {
    const begun = performance.now();
    await grow(stage, chains);
    await sleep(Math.max(0, 1_000 - (performance.now() - begun)));
    const work = `signing ${CHAINS.toLocaleString('en')} grown chains a second, ${second} s`;
    if (second === EARLY || second === SECONDS) note(work, memoryOf(worker.pid).peak);
  }
  const behind = `SELECT count(*)::int AS chains FROM ledger_chain l
    WHERE l.size > coalesce((SELECT max(k.size) FROM checkpoint k WHERE k.chain_id = l.id), 0)`;
  for (let tries = 0; tries < 10; tries++) {
    const { rows } = await stage.admin.query<{ chains: number }>(behind);
    if (rows[0]!.chains === 0) return worker.end();
    await sleep(1_000);
  }
  throw new Error('the worker does not keep up');
}

const GIB = 2 ** 30;
const HOLE = 2 ** 20;

/** A sparse file of one gibibyte with lines as the service writes them. */
async function makeLargeFile(path: string): Promise<void> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const file = await open(path, 'w');
  for (let at = 0, i = 0; at < GIB; i++) {
    const lines = Array.from({ length: 64 }, (_, n) => {
      const text = `bench.example/chains/${(i * 64 + n) % CHAINS}/proof\n${i + 1}\n${randomBytes(32).toString('base64')}\n`;
      const signature = Buffer.concat([randomBytes(4), sign(null, Buffer.from(text), privateKey)]);
      const note = `${text}\n\u2014 bench.example ${signature.toString('base64')}\n`;
      return `${JSON.stringify({ createdAt: new Date(), index: i * 64 + n, note })}\n`;
    });
    const block = `\n${lines.join('')}`;
    await file.write(block, at);
    at += Buffer.byteLength(block) + HOLE;
  }
  await file.truncate(GIB);
  await file.close();
}

async function largeFile(note: (work: string, peakMiB: number) => void): Promise<void> {
  const path = join(tmpdir(), `checkpoints-${process.pid}.log`);
  try {
    await makeLargeFile(path);
    const begun = performance.now();
    // It reports ready once the whole file is indexed.
    const program = await startProgram('bench/harness/index-file.ts', { CHECKPOINT_FILE: path });
    const seconds = (performance.now() - begun) / 1_000;
    if (program.port !== CHAINS) throw new Error(`${program.port} chains were found in the file`);
    note(`indexing a checkpoint file of 1 GiB, ${seconds.toFixed(1)} s`, memoryOf(program.pid).peak);
    await program.end();
  } finally {
    await rm(path, { force: true });
  }
}

export const checkpointMemory: Survey = {
  name: 'checkpoint-memory',
  title: 'the memory that signing takes',
  async survey(stage, say) {
    const found: MemoryResult[] = [];
    const noteFor = (process: string) => (work: string, peakMiB: number) => {
      found.push({ scenario: checkpointMemory.name, process, work, peakMiB, targetMiB: MOST_MIB });
      say(`${process}, ${work}: ${peakMiB.toFixed(0)} MiB`);
    };
    await signingWorker(stage, noteFor('worker'));
    await largeFile(noteFor('reader'));
    return { memory: found };
  },
};
