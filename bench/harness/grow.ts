import { type Call, httpSide } from './http.ts';
import type { GrowthResult } from './results.ts';

/** One, so that a call's own time is seen and not the queue for two cores. */
const CALLERS = 1;
const SECONDS = 0.3;
/** Some calls on each of the connections, which the first ones prepare. */
const WARMUP_SECONDS = 0.1;
/** Until the process has compiled what it runs often, its times say little. */
const FIRST_WARMUP_SECONDS = 1;
/** Of several passes the quickest counts, at each size alike: whatever disturbed the others was not the size. */
const PASSES = 4;

export const MOST_GROWTH = 1.5;

export interface GrowingCall {
  title: string;
  /** The ratio of largest to smallest size not to exceed; null for calls that may grow. */
  target: number | null;
  /** Makes a call when there are so many. */
  call(size: number): Call;
}

export interface Growth {
  scenario: string;
  of: string;
  sizes: number[];
  port: number;
  calls: GrowingCall[];
  fillTo(size: number): Promise<void>;
}

/** The same calls of the same process at each size, in one database that grows. */
export async function grow(growth: Growth, say: (text: string) => void): Promise<GrowthResult[]> {
  const { scenario, of, sizes, calls } = growth;
  const p50s = calls.map((): number[] => []);
  for (const size of sizes) {
    const count = `${size.toLocaleString('en')} ${of}`;
    say(`filling up to ${count}`);
    await growth.fillTo(size);
    say(`measuring with ${count}`);
    if (size === sizes[0]) await onePass(growth, size, FIRST_WARMUP_SECONDS);
    const passes: number[][] = [];
    for (let pass = 0; pass < PASSES; pass++) passes.push(await onePass(growth, size, SECONDS));
    for (const [i, list] of p50s.entries()) list.push(Math.min(...passes.map((pass) => pass[i]!)));
  }
  return calls.map(({ title, target }, i) => {
    const p50 = p50s[i]!;
    return { scenario, call: title, of, sizes, p50, ratio: p50.at(-1)! / p50[0]!, target };
  });
}

async function onePass({ port, calls }: Growth, size: number, seconds: number): Promise<number[]> {
  const medians: number[] = [];
  for (const { call } of calls) {
    const side = httpSide(port, CALLERS, 200, () => call(size));
    await side.run(WARMUP_SECONDS);
    medians.push((await side.run(seconds)).p50!);
    await side.close();
  }
  return medians;
}
