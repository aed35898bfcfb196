import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeCoalesce } from '../../src/lib/coalesce.ts';

/** Answers on command, and counts the calls. */
function source() {
  const asked: PromiseWithResolvers<number>[] = [];
  const ask = () => {
    const answer = Promise.withResolvers<number>();
    asked.push(answer);
    return answer.promise;
  };
  return { asked, ask };
}

test('concurrent callers share a result; callers that arrive during a call share the next one', async () => {
  const coalesce = makeCoalesce<number>();
  const { asked, ask } = source();
  const early = [coalesce('a', ask), coalesce('a', ask)];
  await turn();
  expect(asked).toHaveLength(1);
  const late = [coalesce('a', ask), coalesce('a', ask)];
  await turn();
  expect(asked).toHaveLength(1);
  asked[0]!.resolve(1);
  expect(await Promise.all(early)).toEqual([1, 1]);
  await turn();
  expect(asked).toHaveLength(2);
  asked[1]!.resolve(2);
  expect(await Promise.all(late)).toEqual([2, 2]);
});

test('other keys do not wait, and a failure is not cached', async () => {
  const coalesce = makeCoalesce<number>();
  const { asked, ask } = source();
  const failing = coalesce('a', ask);
  const other = coalesce('b', ask);
  await turn();
  asked[1]!.resolve(7);
  expect(await other).toBe(7);
  const after = coalesce('a', ask);
  asked[0]!.reject(new Error('no'));
  await expect(failing).rejects.toThrow('no');
  await turn();
  asked[2]!.resolve(3);
  expect(await after).toBe(3);
});
