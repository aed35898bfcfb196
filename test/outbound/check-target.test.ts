import { afterEach, describe, expect, it, vi } from 'vitest';
import { checkTarget, type ResolveHost } from '../../src/lib/outbound/targets.ts';

const PRODUCTION = { allowHttp: false, allowPrivate: false, acceptUnresolvable: false, lookupMs: 1 };
const answering =
  (...addresses: string[]): ResolveHost =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
const failing: ResolveHost = () => Promise.reject(new Error('ENOTFOUND'));

const URL_OF_HOST = 'https://hooks.example.com/in';

afterEach(() => {
  vi.useRealTimers();
});

describe('checkTarget', () => {
  it.each([
    ['a private address', answering('10.1.2.3')],
    ['no address', answering()],
    ['a name that does not exist', failing],
    ['a name server that does not answer', () => Promise.withResolvers<never>().promise],
  ] satisfies [string, ResolveHost][])('refuses %s after the same time', async (_what, resolve) => {
    vi.useFakeTimers();
    let isRefused = false;
    const refusal = checkTarget(URL_OF_HOST, { ...PRODUCTION, lookupMs: 3_000, resolve }).then((checked) => {
      isRefused = !checked.ok;
    });
    await vi.advanceTimersByTimeAsync(2_999);
    expect(isRefused).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await refusal;
    expect(isRefused).toBe(true);
  });

  it('accepts a host whose addresses are all public', async () => {
    const resolve = answering('93.184.216.34', '2606:4700::1111');
    expect(await checkTarget(URL_OF_HOST, { ...PRODUCTION, resolve })).toMatchObject({ ok: true });
  });

  it('rejects a host with one non-public address, without naming it', async () => {
    const resolve = answering('93.184.216.34', '10.1.2.3');
    expect(await checkTarget(URL_OF_HOST, { ...PRODUCTION, resolve })).toEqual({
      ok: false,
      reason: 'must name a host that resolves to public addresses',
    });
  });

  it('applies allowPrivate to resolved addresses as to literal ones', async () => {
    const rules = { ...PRODUCTION, allowPrivate: true };
    expect(await checkTarget(URL_OF_HOST, { ...rules, resolve: answering('10.1.2.3') })).toMatchObject({
      ok: true,
    });
    expect(await checkTarget(URL_OF_HOST, { ...rules, resolve: answering('169.254.169.254') })).toMatchObject(
      {
        ok: false,
      },
    );
  });

  it.each([
    ['fails to resolve', failing],
    ['has no address', answering()],
  ])('a host that %s is accepted only with acceptUnresolvable', async (_how, resolve) => {
    expect(await checkTarget(URL_OF_HOST, { ...PRODUCTION, resolve })).toEqual({
      ok: false,
      reason: 'must name a host that resolves to public addresses',
    });
    expect(
      await checkTarget(URL_OF_HOST, { ...PRODUCTION, acceptUnresolvable: true, resolve }),
    ).toMatchObject({
      ok: true,
    });
  });

  it('does not resolve literal addresses and invalid URLs', async () => {
    const resolve: ResolveHost = () => expect.unreachable('nothing to resolve');
    expect(await checkTarget('https://8.8.8.8/', { ...PRODUCTION, resolve })).toMatchObject({ ok: true });
    expect(await checkTarget('https://[::1]/', { ...PRODUCTION, resolve })).toMatchObject({ ok: false });
    expect(await checkTarget('http://example.com/', { ...PRODUCTION, resolve })).toMatchObject({ ok: false });
  });
});
