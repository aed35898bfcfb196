import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const NETWORK_BITS = 64;

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
  if (isIP(address) !== 6) return address;
  const { parts } = ipaddr.IPv6.parse(address);
  const network = parts.map((part, i) => (i < NETWORK_BITS / 16 ? part : 0));
  return `${new ipaddr.IPv6(network).toString()}/${NETWORK_BITS}`;
}
