import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const NETWORK_BITS = 64;
/** What a provider assigns to one customer, as far as an address shows it. */
const SITE_BITS = { 4: 24, 6: 48 };

/** The canonical form of an address: no port, brackets or zone, and IPv4 for IPv4-mapped IPv6. Null for anything else. */
export function canonicalAddress(text: string): string | null {
  const bare = withoutPort(text.trim()).replace(/%.*$/, '');
  return isIP(bare) === 0 ? null : ipaddr.process(bare).toString();
}

function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(text);
  return bracketed ? bracketed[1]! : text.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
}

/** The key by which limits count an address. An IPv6 subscriber has a whole /64, so its addresses count as one. */
export function networkOf(address: string): string {
  return isIP(address) === 6 ? prefixOf(address, NETWORK_BITS) : address;
}

/** The wider network of an address, /24 or /48, for shares that a caller with many addresses must not take. */
export function siteOf(address: string): string {
  const version = isIP(address);
  return version === 4 || version === 6 ? prefixOf(address, SITE_BITS[version]) : address;
}

/** The network that the first bits of an address name; their number is a multiple of eight. */
function prefixOf(address: string, bits: number): string {
  const bytes = ipaddr.parse(address).toByteArray();
  const network = ipaddr.fromByteArray(bytes.map((byte, place) => (place < bits / 8 ? byte : 0)));
  return `${network.toString()}/${bits}`;
}
