import { expect, test } from 'vitest';
import { runChaos } from './chaos.ts';

/** A seed that causes every kind of fault within the first nine seconds. */
const SEED = 20_261_977;

test('no guarantee is violated while processes are killed, paused and disconnected for 12 seconds', async () => {
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  // Full load, which takes all processors, is for `npm run chaos`.
  const report = await runChaos({ seconds: 12, seed: SEED, pauseMs: 30, say });
  expect(report.violations, said.join('\n')).toEqual([]);
  // It was used, and it was broken.
  expect(Math.min(report.decisions, report.approvals, report.runs, report.deliveries)).toBeGreaterThan(0);
  expect(Object.keys(report.faults).length).toBeGreaterThan(2);
}, 480_000);
