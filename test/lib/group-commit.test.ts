import { describe, expect, it } from 'vitest';
import { type KeyedItems, makeGroupCommit } from '../../src/lib/group-commit.ts';
import { currentMeter, metered } from '../../src/lib/row-meter.ts';

/** A commit that the test sends and ends. */
interface Running {
  items: string[];
  keys: number[];
  send(): void;
  end(): void;
}

/** A group commit of texts, with the shared commits that it has begun. */
function makeGroup() {
  const commits: Running[] = [];
  let begun = Promise.withResolvers<void>();
  const group = makeGroupCommit<string, string>({
    most: 100,
    alone: 1,
    commitTogether(portions: KeyedItems<string>[], sent) {
      const { promise, resolve } = Promise.withResolvers<string[][]>();
      commits.push({
        items: portions.flatMap(({ items }) => items),
        keys: portions.map(({ key }) => key),
        send: sent,
        end: () => resolve(portions.map(({ items }) => items)),
      });
      begun.resolve();
      begun = Promise.withResolvers();
      return promise;
    },
    commitAlone: ({ items }) => Promise.resolve(items),
    meetsAll: () => false,
    closed: () => new Error('closed'),
  });
  return { group, commits, nextCommit: () => begun.promise };
}

/** After everything that has been planned so far. */
const settled = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
};

describe('overlapping shared commits', () => {
  it('begins a full commit when the running one has sent its statements', async () => {
    const { group, commits, nextCommit } = makeGroup();
    const first = [group.submit(1, 'a'), group.submit(2, 'b')];
    await nextCommit();
    const second = [group.submit(3, 'c'), group.submit(4, 'd')];
    await settled();
    expect(commits).toHaveLength(1);
    commits[0]!.send();
    await settled();
    expect(commits.map(({ items }) => items)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    const third = [group.submit(5, 'e'), group.submit(6, 'f')];
    commits[1]!.send();
    await settled();
    expect(commits, 'a third one waits').toHaveLength(2);
    commits[1]!.end();
    expect(await Promise.all(second)).toEqual(['c', 'd']);
    commits[0]!.end();
    await settled();
    commits[2]!.end();
    expect(await Promise.all([...first, ...third])).toEqual(['a', 'b', 'e', 'f']);
  });

  it('prepares one at a time, also after the end of the one before', async () => {
    const { group, commits, nextCommit } = makeGroup();
    const first = group.submit(1, 'a');
    await nextCommit();
    commits[0]!.send();
    const second = group.submit(2, 'b');
    await settled();
    commits[0]!.end();
    expect(await first).toBe('a');
    const third = group.submit(3, 'c');
    await settled();
    expect(commits).toHaveLength(2);
    commits[1]!.send();
    await settled();
    expect(commits).toHaveLength(3);
    commits[1]!.end();
    commits[2]!.end();
    expect(await Promise.all([second, third])).toEqual(['b', 'c']);
  });

  it('leaves a smaller commit waiting for the end of the running one', async () => {
    const { group, commits, nextCommit } = makeGroup();
    const first = [group.submit(1, 'a'), group.submit(2, 'b')];
    await nextCommit();
    commits[0]!.send();
    const second = group.submit(3, 'c');
    await settled();
    expect(commits).toHaveLength(1);
    commits[0]!.end();
    await nextCommit();
    commits[1]!.end();
    expect(await Promise.all([...first, second])).toEqual(['a', 'b', 'c']);
  });

  it('never has a key in two commits', async () => {
    const { group, commits, nextCommit } = makeGroup();
    const first = group.submit(1, 'a');
    await nextCommit();
    const again = group.submit(1, 'b');
    const other = group.submit(2, 'c');
    commits[0]!.send();
    await settled();
    expect(commits.map(({ keys }) => keys)).toEqual([[1], [2]]);
    commits[0]!.end();
    commits[1]!.end();
    await settled();
    commits[2]!.end();
    expect(await Promise.all([first, again, other])).toEqual(['a', 'b', 'c']);
    expect(commits[2]!.keys).toEqual([1]);
  });

  it('closes after both', async () => {
    const { group, commits, nextCommit } = makeGroup();
    const first = group.submit(1, 'a');
    await nextCommit();
    commits[0]!.send();
    const second = group.submit(2, 'b');
    await settled();
    let isClosed = false;
    const closed = group.close().then(() => {
      isClosed = true;
    });
    commits[1]!.end();
    await settled();
    expect(isClosed).toBe(false);
    commits[0]!.end();
    await closed;
    expect(await Promise.all([first, second])).toEqual(['a', 'b']);
  });
});

it('counts the rows of a commit for none of its callers', async () => {
  const meters: unknown[] = [];
  const note = () => void meters.push(currentMeter());
  const group = makeGroupCommit<string, string>({
    most: 100,
    alone: 1,
    async commitTogether(portions) {
      note();
      return portions.map(() => 'held');
    },
    async commitAlone({ items }) {
      note();
      return items;
    },
    meetsAll: () => false,
    closed: () => new Error('closed'),
  });
  const meter = { count: () => new Error('too much') };
  expect(await metered(meter, () => group.submit(1, 'a'))).toBe('a');
  expect(meters).toEqual([null, null]);
});
