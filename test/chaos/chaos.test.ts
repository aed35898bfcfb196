import { expect, test } from 'vitest';
import { runChaos } from './chaos.ts';

test('killed, paused and cut off for twenty seconds, the service keeps every promise', async () => {
  const said: string[] = [];
  const report = await runChaos({ seconds: 20, seed: 20_261_115, say: (line) => said.push(line) });
  expect(report.violations, said.join('\n')).toEqual([]);
  // It was used, and it was broken.
  expect(Math.min(report.decisions, report.approvals, report.runs, report.deliveries)).toBeGreaterThan(0);
  expect(Object.keys(report.faults).length).toBeGreaterThan(2);
}, 240_000);
