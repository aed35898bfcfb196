import { type Call, httpSide } from './http.ts';
import { median } from './measure.ts';
import type { GrowthResult } from './results.ts';
import { openStage, type Stage } from './stage.ts';

/** One, so that a call's own time is seen and not the queue for two cores. */
const CALLERS = 1;
const SECONDS = 0.15;
/** Some calls on a new connection, which the first ones prepare. */
const WARMUP_SECONDS = 0.05;
/** Until a process has compiled what it runs often, its times say little. */
const FIRST_WARMUP_SECONDS = 0.5;
const PASSES = 5;

export const MOST_GROWTH = 1.5;

export interface GrowingCall {
  title: string;
  /** The ratio of largest to smallest size not to exceed; null for calls that may grow. */
  target: number | null;
  /** Makes a call when there are so many. */
  call(size: number): Call;
}

/** A service with its own database that holds so many. */
interface Place {
  size: number;
  port: number;
  calls: GrowingCall[];
}

export interface Growth {
  scenario: string;
  of: string;
  sizes: number[];
  /** Fills a stage up to a size and tells what to ask there. */
  prepare(stage: Stage, size: number): Promise<Omit<Place, 'size'>>;
}

/**
 * The same calls at each size, each in a database of its own, in turns: a machine that changes its speed from second to
 * second changes it for all sizes alike. The largest is filled on the stage that was given, for whoever comes next.
 */
export async function grow(
  growth: Growth,
  largest: Stage,
  say: (text: string) => void,
): Promise<GrowthResult[]> {
  const { scenario, of, sizes } = growth;
  const smaller: Stage[] = [];
  try {
    const places: Place[] = [];
    for (const size of sizes) {
      say(`filling up to ${size.toLocaleString('en')} ${of}`);
      const stage = size === sizes.at(-1) ? largest : await openStage();
      if (stage !== largest) smaller.push(stage);
      places.push({ size, ...(await growth.prepare(stage, size)) });
    }
    say('warming up');
    await onePass(places, FIRST_WARMUP_SECONDS);
    const passes: number[][][] = [];
    for (let pass = 0; pass < PASSES; pass++) {
      say(`pass ${pass + 1} of ${PASSES}`);
      passes.push(await onePass(places, SECONDS));
    }
    return places[0]!.calls.map(({ title, target }, call) => ({
      scenario,
      call: title,
      of,
      sizes,
      p50: sizes.map((_, place) => median(passes.map((pass) => pass[call]![place]!))),
      ratio: median(passes.map((pass) => pass[call]!.at(-1)! / pass[call]![0]!)),
      target,
    }));
  } finally {
    for (const stage of smaller) await stage.close();
  }
}

/** The p50 of each call in each place. */
async function onePass(places: Place[], seconds: number): Promise<number[][]> {
  const p50s: number[][] = [];
  for (const call of places[0]!.calls.keys()) {
    const inPlaces: number[] = [];
    for (const { size, port, calls } of places) {
      const side = httpSide(port, CALLERS, 200, () => calls[call]!.call(size));
      await side.run(WARMUP_SECONDS);
      inPlaces.push((await side.run(seconds)).p50!);
      await side.close();
    }
    p50s.push(inPlaces);
  }
  return p50s;
}
