import { expect, test } from 'vitest';
import { newId, newRequestId } from '../../src/lib/ids.ts';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const MINTED = 10_000;

/** The last sixteen characters as the number they are. */
function tailOf(id: string): bigint {
  return [...id.slice(-16)].reduce((sum, letter) => sum * 32n + BigInt(ALPHABET.indexOf(letter)), 0n);
}

/** Created by many callers at the same moment, as under load. */
const mint = (make: () => string) =>
  Promise.all(Array.from({ length: MINTED }, () => Promise.resolve().then(make)));

test('ids created in the same millisecond sort in creation order', async () => {
  const ids = await mint(() => newId('evt'));
  for (const id of ids) expect(id).toMatch(/^evt_[0-9a-hjkmnp-tv-z]{10}a[0-9a-hjkmnp-tv-z]{16}$/);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(MINTED);
});

test.each([
  ['ids', () => newId('evt')],
  ['request ids', newRequestId],
])('%s cannot be predicted from each other', async (_, make) => {
  const tails = (await mint(make)).map(tailOf);
  // 10,000 random numbers of 80 bits have a closest pair about 2^54 apart; a counter would put it at 1.
  const ordered = tails.toSorted((a, b) => (a < b ? -1 : 1));
  const gaps = ordered.slice(1).map((tail, i) => tail - ordered[i]!);
  expect(gaps.every((gap) => gap > 1n << 30n)).toBe(true);
  // Nor do they differ by a repeating step.
  const steps = tails.slice(1).map((tail, i) => tail - tails[i]!);
  expect(new Set(steps).size).toBe(steps.length);
  // Each of the 80 bits is set about half the time (six standard deviations), so none is used for anything else.
  for (let bit = 0n; bit < 80n; bit++) {
    const set = tails.filter((tail) => (tail >> bit) & 1n).length;
    expect(Math.abs(set - MINTED / 2), `bit ${bit}`).toBeLessThan(300);
  }
});

test('ids keep increasing when the clock steps back', () => {
  const later = newId('evt', Date.now() + 60_000);
  expect(newId('evt') > later).toBe(true);
});

test('request ids do not reveal the time', async () => {
  const heads = (await mint(newRequestId)).map((id) => id.slice(4, 14));
  expect(new Set(heads).size).toBe(MINTED);
});
