import { afterAll, beforeAll, expect, test } from 'vitest';
import { runFairPass } from '../../src/domain/fair-pass.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';

let running: TestApp;
beforeAll(async () => {
  running = await startTestApp();
});
afterAll(() => running.close());

/** Centers with a number of batches to do, and the order in which they are done. */
function backlog(centers: Record<string, number>) {
  const left = new Map(Object.entries(centers));
  const done: string[] = [];
  const findDue = async () =>
    [...left.keys()].map((center) => ({
      async run() {
        done.push(center);
        const rest = left.get(center)! - 1;
        if (rest > 0) left.set(center, rest);
        else left.delete(center);
      },
    }));
  return { done, findDue };
}

test('in each round every center gets one batch, however much another one has', async () => {
  const { done, findDue } = backlog({ large: 100, small: 1, other: 2 });
  await runFairPass(running.app, 'deadlines', findDue);
  expect(done).toHaveLength(103);
  expect(new Set(done.slice(0, 3))).toEqual(new Set(['large', 'small', 'other']));
  expect(new Set(done.slice(3, 5))).toEqual(new Set(['large', 'other']));
});

test('one pass of a kind runs at a time, also across processes', async () => {
  const [release, started] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isFirst = true;
  const first = runFairPass(running.app, 'deadlines', async () => {
    if (!isFirst) return [];
    isFirst = false;
    started.resolve();
    await release.promise;
    return [];
  });
  await started.promise;
  const second = backlog({ any: 1 });
  await runFairPass(running.app, 'deadlines', second.findDue);
  expect(second.done).toEqual([]);
  // Passes of another kind do not wait.
  await runFairPass(running.app, 'schedules', second.findDue);
  expect(second.done).toEqual(['any']);
  release.resolve();
  await first;
  const third = backlog({ any: 1 });
  await runFairPass(running.app, 'deadlines', third.findDue);
  expect(third.done).toEqual(['any']);
});

test('a pass that fails does not keep the next one out', async () => {
  const failing = async () => [{ run: () => Promise.reject(new Error('no')) }];
  await expect(runFairPass(running.app, 'deadlines', failing)).rejects.toThrow('no');
  const next = backlog({ any: 1 });
  await runFairPass(running.app, 'deadlines', next.findDue);
  expect(next.done).toEqual(['any']);
});
