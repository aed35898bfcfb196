/** The rules for a tenant-supplied URL that need no network: scheme, credentials, literal addresses, local names. */
import { isIP } from 'node:net';
import { classifyAddress, isAllowedAddress } from './addresses.ts';

export interface TargetRules {
  /** Plain http as well as https: outside production only. */
  allowHttp: boolean;
  /** Addresses of the operator's own network too (loopback, private, unique-local, shared). */
  allowPrivate: boolean;
}

/** A reason continues the sentence "the URL ...". */
export type CheckedTarget = { ok: true; url: URL } | { ok: false; reason: string };

export function checkTargetUrl(target: string, rules: TargetRules): CheckedTarget {
  const url = URL.parse(target);
  if (url === null) return refuse('is not a valid URL');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuse('must be an https URL');
  if (url.protocol === 'http:' && !rules.allowHttp) return refuse('must use https');
  if (url.username !== '' || url.password !== '') return refuse('must not contain credentials');
  const host = bareHost(url);
  if (isIP(host) !== 0) {
    if (!isAllowedAddress(host, rules.allowPrivate)) return refuse(addressReason(host));
  } else if (isLocalName(host) && !rules.allowPrivate) {
    return refuse('must point to a public address (this one is loopback)');
  }
  return { ok: true, url };
}

/** Says the kind of the address and not the address: what a name resolves to inside is not for tenants to learn. */
export function addressReason(address: string): string {
  return `must point to a public address (this one is ${classifyAddress(address)})`;
}

/**
 * The host without the brackets of an IPv6 literal. The URL parser has already turned every spelling of an IPv4 address
 * (decimal, octal, hexadecimal, shortened, trailing dot) into four decimal numbers.
 */
export function bareHost(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
}

/** `localhost` and everything under it is this machine by definition (RFC 6761), whatever a resolver says. */
function isLocalName(host: string): boolean {
  const name = host.replace(/\.+$/, '');
  return name === 'localhost' || name.endsWith('.localhost');
}

function refuse(reason: string): CheckedTarget {
  return { ok: false, reason };
}
