import { expect, test } from 'vitest';
import { canonicalAddress, networkOf, siteOf } from '../../src/lib/client-address.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.7:49152', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:207', '192.0.2.7'],
  ['[::ffff:192.0.2.7]:80', '192.0.2.7'],
  ['2001:DB8:0:0::1', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['unknown', null],
  ['_hidden', null],
  ['', null],
  ['1.2.3', null],
])('%s is %s', (text, address) => {
  expect(canonicalAddress(text)).toBe(address);
});

test('IPv6 addresses are counted by /64, IPv4 by address', () => {
  expect(networkOf('192.0.2.7')).toBe('192.0.2.7');
  expect(networkOf('2001:db8:1:2:aaaa::1')).toBe(networkOf('2001:db8:1:2:bbbb:cccc:dddd:eeee'));
  expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'));
});

test('a site is a /24, or a /48 of IPv6', () => {
  expect(siteOf('192.0.2.7')).toBe('192.0.2.0/24');
  expect(siteOf('192.0.2.250')).toBe(siteOf('192.0.2.7'));
  expect(siteOf('192.0.3.7')).not.toBe(siteOf('192.0.2.7'));
  expect(siteOf('2001:db8:1:ffff::1')).toBe('2001:db8:1::/48');
  expect(siteOf('2001:db8:2::1')).not.toBe(siteOf('2001:db8:1::1'));
  expect(siteOf('')).toBe('');
});
