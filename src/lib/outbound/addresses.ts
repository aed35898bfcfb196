/**
 * Which IP addresses may a tenant make this service call?
 *
 * IPv4 is judged by a list of what is not public; IPv6 by the one block that is (2000::/3) less its special parts,
 * so unassigned address space is refused rather than forgotten.
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

/** What an operator's own network may consist of; `allowPrivate` opens these and nothing else. */
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
  // Tunnels and translators carry an IPv4 destination inside; each can lead back into a private network.
  '6to4': 'transition',
  teredo: 'transition',
  rfc6052: 'transition',
  rfc6145: 'transition',
};

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
const NAT64_WELL_KNOWN = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

export function classifyAddress(address: string): AddressKind {
  // Only what the operating system would connect to as written: no octal, hexadecimal or shortened spellings here.
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
  // A mapped address is the IPv4 address. The well-known NAT64 prefix is how an IPv6-only network reaches IPv4, and its
  // DNS hands these out for ordinary public hosts, so the address inside decides.
  if (address.isIPv4MappedAddress() || address.match(NAT64_WELL_KNOWN)) return kindOfIPv4(innerIPv4(address));
  const kind = KIND_OF_RANGE[address.range()] ?? 'reserved';
  return kind === 'public' && !address.match(GLOBAL_UNICAST) ? 'reserved' : kind;
}

function innerIPv4(address: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}

/** Dots at the end of an IPv6 address as two groups: the parser takes `::1.2.3.4` for a mapped address, sockets do not. */
function withoutDots(address: string): string {
  return address.replace(/(?<=:)(\d+)\.(\d+)\.(\d+)\.(\d+)/, (_dotted, ...parts: string[]) => {
    const [a, b, c, d] = parts.map(Number) as [number, number, number, number];
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
}
