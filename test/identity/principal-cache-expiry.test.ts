import { setImmediate as settled } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Bus, Message } from '../../src/db/bus.ts';
import { type Finding, makePrincipalCache } from '../../src/domain/identity/principal-cache.ts';
import type { ApiKeyPrincipal } from '../../src/domain/principal.ts';
import { DomainError } from '../../src/lib/errors.ts';
import { eventually } from '../helpers/eventually.ts';

const CREDENTIAL = 'csk_of_somebody';
/** Every entry is due by then, and none has expired. */
const DUE_MS = 25_000;
const ENDED_MS = 31_000;

const found = (ratePerMinute: number): Finding<ApiKeyPrincipal> => ({
  principal: { kind: 'apiKey', keyId: 'key_1', centerId: 1, scopes: [], ratePerMinute, featuresOff: {} },
  goodUntil: Number.POSITIVE_INFINITY,
  restsOn: ['key:key_1', 'center:1'],
});

let passed = 0;
beforeEach(() => {
  passed = 0;
  const { now } = performance;
  vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + passed);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** A cache that holds the credential, the lookups made from now on, and the messages it can receive. */
async function whenKnown() {
  let tell: (message: Message) => void = () => {};
  const bus = {
    connected: () => true,
    caughtUp: async () => {},
    on: (_topic: string, hear: typeof tell) => {
      tell = hear;
    },
  } as unknown as Bus;
  const cache = makePrincipalCache(bus);
  const lookups: PromiseWithResolvers<Finding<ApiKeyPrincipal>>[] = [];
  await cache.find(CREDENTIAL, new Date(), async () => found(1));
  const find = async () => {
    const { ratePerMinute } = await cache.find(CREDENTIAL, new Date(), () => {
      const lookup = Promise.withResolvers<Finding<ApiKeyPrincipal>>();
      lookups.push(lookup);
      return lookup.promise;
    });
    return ratePerMinute;
  };
  return { find, lookups, tell: (id: string) => tell({ id }) };
}

test('a cached credential is refreshed before it expires, and no caller waits', async () => {
  const { find, lookups } = await whenKnown();
  expect(await find()).toBe(1);
  expect(lookups).toHaveLength(0);
  passed = DUE_MS;
  expect(await Promise.all([find(), find()])).toEqual([1, 1]);
  expect(await find()).toBe(1);
  expect(lookups).toHaveLength(1);
  lookups[0]!.resolve(found(2));
  await eventually(async () => (await find()) === 2);
  passed += DUE_MS / 4;
  expect(await find()).toBe(2);
  expect(lookups).toHaveLength(1);
});

test('a credential that is rejected on refresh is removed immediately', async () => {
  const { find, lookups } = await whenKnown();
  passed = DUE_MS;
  expect(await find()).toBe(1);
  const refusal = new DomainError('UNAUTHORIZED', 'revoked');
  lookups[0]!.reject(refusal);
  await settled();
  const next = find();
  expect(lookups).toHaveLength(2);
  lookups[1]!.reject(refusal);
  await expect(next).rejects.toBe(refusal);
});

test('while the database fails, cached entries are used until they expire', async () => {
  const { find, lookups } = await whenKnown();
  passed = DUE_MS;
  expect(await find()).toBe(1);
  const fault = new Error('the connection broke');
  lookups[0]!.reject(fault);
  await settled();
  expect(await find()).toBe(1);
  expect(lookups).toHaveLength(2);
  lookups[1]!.reject(fault);
  passed = ENDED_MS;
  await eventually(() => {
    const late = find();
    lookups.at(-1)!.reject(fault);
    return late.then(
      () => false,
      (error) => error === fault,
    );
  });
});

test('a change during a refresh invalidates the entry, and the late result is discarded', async () => {
  const { find, lookups, tell } = await whenKnown();
  passed = DUE_MS;
  expect(await find()).toBe(1);
  tell('key:key_1');
  const after = find();
  expect(lookups).toHaveLength(2);
  lookups[1]!.resolve(found(2));
  expect(await after).toBe(2);
  // It was read before the change and arrived late.
  lookups[0]!.resolve(found(1));
  await settled();
  expect(await find()).toBe(2);
});
