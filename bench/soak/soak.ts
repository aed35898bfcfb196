// npm run bench -- soak [minutes]: runs a mixed load and checks whether memory grows.
import { writeFileSync } from 'node:fs';
import { systemContext } from '../../src/domain/context.ts';
import { createWebhook } from '../../src/domain/webhooks/manage.ts';
import { startConsumer } from '../harness/consumer.ts';
import { fillChain } from '../harness/fill.ts';
import { memoryOf } from '../harness/memory.ts';
import type { Program } from '../harness/programs.ts';
import { place, save } from '../harness/results.ts';
import { openStage } from '../harness/stage.ts';
import { CALLS_A_SECOND, startLoad } from './load.ts';
import { soakPicture } from './picture.ts';
import type { Soaked, SoakResult } from './result.ts';
import { lowPoints, type Sample, slopeOf } from './trend.ts';

const WHOLE_MINUTES = 10;
const SAMPLE_MS = 1_000;
/** Until then caches fill and code is compiled, so this period says nothing about leaks. */
const WARMUP_PART = 0.3;
/** More than a garbage collector varies within ten minutes, less than what would add up over a day. */
const MOST_MIB_A_MINUTE = 1;
const DPUS = 10_000;

export async function soak(wanted: string | undefined): Promise<void> {
  const minutes = wanted === undefined ? WHOLE_MINUTES : Number(wanted);
  if (!(minutes > 0)) throw new Error(`soak takes a number of minutes, not ${wanted}`);
  const result = await run(minutes);
  // Results of a shorter run are not saved, as with single scenarios.
  const name = minutes < WHOLE_MINUTES ? 'soak.local' : 'soak';
  save(`${name}.json`, result);
  writeFileSync(place(`${name}.svg`), soakPicture(result));
  process.stdout.write(`${describe(result)}\n`);
}

async function run(minutes: number): Promise<SoakResult> {
  const stage = await openStage();
  const consumer = await startConsumer();
  try {
    process.stderr.write('soak: filling\n');
    const dpuIds = await fillChain(stage, 'platform', DPUS);
    const ctx = systemContext(stage.app, 'bench', stage.centerId);
    await createWebhook(ctx, { url: consumer.url, events: ['*'] });
    const programs: Record<string, Program> = { API: await stage.api(), worker: await stage.worker() };
    const samples = new Map(Object.keys(programs).map((name) => [name, [] as Sample[]]));
    const begun = performance.now();
    const load = startLoad(stage, programs['API']!.port, dpuIds, minutes * 60);
    let deliveries = 0;
    const timer = setInterval(() => {
      const minute = (performance.now() - begun) / 60_000;
      for (const [name, { pid }] of Object.entries(programs)) {
        samples.get(name)!.push({ minute, mib: memoryOf(pid).now });
      }
      deliveries += consumer.count();
      consumer.forget();
      const memory = [...samples].map(([name, list]) => `${name} ${list.at(-1)!.mib.toFixed(0)} MiB`);
      const line = `soak: minute ${minute.toFixed(1)} of ${minutes}, ${load.calls} calls, ${deliveries} deliveries, ${memory.join(', ')}`;
      process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
    }, SAMPLE_MS);
    await load.done.finally(() => clearInterval(timer));
    const warmupMinutes = minutes * WARMUP_PART;
    return {
      measuredAt: new Date().toISOString(),
      minutes,
      callsPerSecond: CALLS_A_SECOND,
      deliveries,
      warmupMinutes,
      mostMiBPerMinute: MOST_MIB_A_MINUTE,
      processes: [...samples].map(([name, list]) => judge(name, list, warmupMinutes)),
    };
  } finally {
    await stage.close();
    consumer.close();
  }
}

function judge(process: string, samples: Sample[], warmupMinutes: number): Soaked {
  const judged = samples.filter(({ minute }) => minute >= warmupMinutes);
  const slopeMiBPerMinute = slopeOf(lowPoints(judged));
  return { process, samples, slopeMiBPerMinute, steady: slopeMiBPerMinute <= MOST_MIB_A_MINUTE };
}

function describe({ minutes, callsPerSecond, deliveries, processes, mostMiBPerMinute }: SoakResult): string {
  const rows = processes.map(({ process, samples, slopeMiBPerMinute, steady }) => {
    const most = Math.max(...samples.map(({ mib }) => mib));
    return `| ${process} | ${most.toFixed(0)} MiB | ${slopeMiBPerMinute.toFixed(2)} MiB/min | ${steady ? 'steady' : '**grows**'} |`;
  });
  return [
    `${minutes} minutes of ${callsPerSecond} calls/s with ${deliveries.toLocaleString('en')} deliveries`,
    '',
    `| process | most memory | growth after warm-up | verdict (at most ${mostMiBPerMinute} MiB/min) |`,
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}
