import { type Call, httpSide } from './http.ts';
import { median } from './measure.ts';
import type { GrowthResult } from './results.ts';
import { openStage, type Stage } from './stage.ts';

/** One caller, to measure the call itself and not the queue for two cores. */
const CALLERS = 1;
const SECONDS = 0.15;
/** Warm-up calls on a new connection, which prepare its statements. */
const WARMUP_SECONDS = 0.05;
/** Times mean little until a process has compiled its hot code. */
const FIRST_WARMUP_SECONDS = 0.5;
const PASSES = 5;

export const MOST_GROWTH = 1.5;

export interface GrowingCall {
  title: string;
  /** The maximum ratio of largest to smallest size; null for calls that may grow. */
  target: number | null;
  /** Makes a call at this size. */
  call(size: number): Call;
}

/** A service with its own database of this size. */
interface Place {
  size: number;
  port: number;
  calls: GrowingCall[];
}

export interface Growth {
  scenario: string;
  of: string;
  sizes: number[];
  /** Fills a stage up to a size and returns the calls to measure there. */
  prepare(stage: Stage, size: number): Promise<Omit<Place, 'size'>>;
}

/**
 * Measures the same calls at each size in turns, each in a separate database, so that changes in machine speed affect all
 * sizes equally. The largest database is filled on the given stage, for later scenarios.
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
