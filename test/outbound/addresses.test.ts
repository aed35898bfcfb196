import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { classifyAddress, isAllowedAddress } from '../../src/lib/outbound/addresses.ts';

const KINDS: Record<string, string[]> = {
  public: [
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:80b::200e',
    '::ffff:8.8.8.8',
    '::ffff:808:808',
    '64:ff9b::8.8.8.8',
  ],
  loopback: [
    '127.0.0.1',
    '127.255.255.255',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::127.0.0.1',
  ],
  private: [
    '10.0.0.0',
    '10.255.255.255',
    '172.16.0.0',
    '172.31.255.255',
    '192.168.0.1',
    '::ffff:10.0.0.1',
    '64:ff9b::c0a8:1',
  ],
  'unique-local': ['fc00::1', 'fdff:ffff::1'],
  'carrier-grade-nat': ['100.64.0.0', '100.127.255.255', '::ffff:100.64.0.1'],
  'link-local': ['169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'febf::1', '::ffff:169.254.169.254'],
  unspecified: ['0.0.0.0', '0.1.2.3', '::', '::ffff:0.0.0.0'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  broadcast: ['255.255.255.255'],
  reserved: [
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '240.0.0.1',
    '2001:db8::1',
    '2001:2::1',
    '3fff::1',
    '100::1',
    'fec0::1',
    '4000::1',
    '::127.0.0.1',
    '::8.8.8.8',
    '::2',
  ],
  transition: [
    '2002:7f00:1::',
    '2002:808:808::1',
    '2001:0:808:808::1',
    '64:ff9b:1::808:808',
    '::ffff:0:127.0.0.1',
  ],
  invalid: [
    '',
    'localhost',
    '127.1',
    '0177.0.0.1',
    '2130706433',
    '0x7f000001',
    '1.2.3.4.5',
    '[::1]',
    '::1::',
  ],
};

describe('classifyAddress', () => {
  for (const [kind, addresses] of Object.entries(KINDS)) {
    test.each(addresses)(`%s is ${kind}`, (address) => {
      expect(classifyAddress(address)).toBe(kind);
    });
  }

  const bytes = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
  const groups = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 });
  const hex = (parts: number[]) => parts.map((part) => part.toString(16)).join(':');

  it('classifies mapped and translated IPv4 addresses by the embedded address', () => {
    fc.assert(
      fc.property(bytes, fc.constantFrom('::ffff:', '64:ff9b::'), (parts, prefix) => {
        const inner = parts.join('.');
        expect(classifyAddress(prefix + inner)).toBe(classifyAddress(inner));
      }),
    );
  });

  it('never classifies a private or local address as public, in any notation', () => {
    const local = fc.oneof(
      bytes.map(([, b, c, d]) => [10, b, c, d]),
      bytes.map(([, b, c, d]) => [127, b, c, d]),
      bytes.map(([, , c, d]) => [192, 168, c, d]),
      bytes.map(([, , c, d]) => [169, 254, c, d]),
      bytes.map(([, b, c, d]) => [172, 16 + (b % 16), c, d]),
      bytes.map(([, b, c, d]) => [100, 64 + (b % 64), c, d]),
    );
    fc.assert(
      fc.property(local, ([a, b, c, d]) => {
        const [high, low] = [a! * 256 + b!, c! * 256 + d!];
        const spellings = [
          [a, b, c, d].join('.'),
          `::ffff:${hex([high, low])}`,
          `::${hex([high, low])}`,
          `64:ff9b::${hex([high, low])}`,
          `64:ff9b:1::${hex([high, low])}`,
          `2002:${hex([high, low])}::1`,
          `2001:0:${hex([high, low])}::1`,
          `::ffff:0:${hex([high, low])}`,
        ];
        for (const spelling of spellings) expect(classifyAddress(spelling), spelling).not.toBe('public');
      }),
    );
  });

  it('classifies IPv6 addresses outside 2000::/3 as public only if they embed a public IPv4 address', () => {
    fc.assert(
      fc.property(groups, (parts) => {
        fc.pre(parts[0]! >> 13 !== 1);
        const translated =
          hex(parts.slice(0, 6)) === '64:ff9b:0:0:0:0' || hex(parts.slice(0, 6)) === '0:0:0:0:0:ffff';
        expect(classifyAddress(hex(parts)) === 'public' && !translated).toBe(false);
      }),
    );
  });

  it('returns a known kind for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6()), (text) =>
        Object.hasOwn(KINDS, classifyAddress(text)),
      ),
    );
  });
});

describe('isAllowedAddress', () => {
  const own = new Set(['loopback', 'private', 'unique-local', 'carrier-grade-nat']);
  for (const [kind, addresses] of Object.entries(KINDS)) {
    it(`${kind}: public is always allowed, private only with permission, the rest never`, () => {
      for (const address of addresses) {
        expect(isAllowedAddress(address, false), address).toBe(kind === 'public');
        expect(isAllowedAddress(address, true), address).toBe(kind === 'public' || own.has(kind));
      }
    });
  }
});
