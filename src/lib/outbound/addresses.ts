/**
 * Decides which IP addresses this service may call for a tenant. IPv4 is checked against a list of non-public ranges; IPv6
 * must be in 2000::/3 without its special ranges, so unassigned address space is refused by default.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** `public`, or the reason why an address is not. */
type AddressKind =
  | 'public'
  | 'loopback'
  | 'private'
  | 'unique-local'
  | 'carrier-grade-nat'
  | 'link-local'
  | 'unspecified'
  | 'multicast'
  | 'broadcast'
  | 'reserved'
  | 'transition'
  | 'invalid';

/** Ranges of the operator's own network; `allowPrivate` permits only these. */
const OWN_NETWORK: ReadonlySet<AddressKind> = new Set([
  'loopback',
  'private',
  'unique-local',
  'carrier-grade-nat',
]);

const KIND_OF_RANGE: Readonly<Record<string, AddressKind>> = {
  unicast: 'public',
  loopback: 'loopback',
  private: 'private',
  uniqueLocal: 'unique-local',
  carrierGradeNat: 'carrier-grade-nat',
  linkLocal: 'link-local',
  unspecified: 'unspecified',
  multicast: 'multicast',
  broadcast: 'broadcast',
  // Tunnels and translators embed an IPv4 destination, which can lead back into a private network.
  '6to4': 'transition',
  teredo: 'transition',
  rfc6052: 'transition',
  rfc6145: 'transition',
};

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
const NAT64_WELL_KNOWN = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

export function classifyAddress(address: string): AddressKind {
  // Accepts only what the operating system would connect to as written: no octal, hexadecimal or shortened forms.
  if (isIP(address) === 0) return 'invalid';
  const parsed = ipaddr.parse(withoutDots(address));
  return parsed instanceof ipaddr.IPv4 ? kindOfIPv4(parsed) : kindOfIPv6(parsed as ipaddr.IPv6);
}

export function isAllowedAddress(address: string, allowPrivate: boolean): boolean {
  const kind = classifyAddress(address);
  return kind === 'public' || (allowPrivate && OWN_NETWORK.has(kind));
}

function kindOfIPv4(address: ipaddr.IPv4): AddressKind {
  return KIND_OF_RANGE[address.range()] ?? 'reserved';
}

function kindOfIPv6(address: ipaddr.IPv6): AddressKind {
  // A mapped address is the IPv4 address. IPv6-only networks reach IPv4 through the well-known NAT64 prefix, and their DNS
  // returns such addresses for ordinary public hosts, so the embedded address decides.
  if (address.isIPv4MappedAddress() || address.match(NAT64_WELL_KNOWN)) return kindOfIPv4(innerIPv4(address));
  const kind = KIND_OF_RANGE[address.range()] ?? 'reserved';
  return kind === 'public' && !address.match(GLOBAL_UNICAST) ? 'reserved' : kind;
}

function innerIPv4(address: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}

/** Converts a dotted suffix to two groups: the parser takes `::1.2.3.4` for a mapped address, sockets do not. */
function withoutDots(address: string): string {
  return address.replace(/(?<=:)(\d+)\.(\d+)\.(\d+)\.(\d+)/, (_dotted, ...parts: string[]) => {
    const [a, b, c, d] = parts.map(Number) as [number, number, number, number];
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
}
