import { promises as dns, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isAllowedAddress } from './addresses.ts';
import { OutboundError } from './failure.ts';

/** The rules for a tenant-supplied URL that need no network: scheme, credentials, literal addresses, local names. */

export interface TargetRules {
  /** Plain http as well as https: outside production only. */
  allowHttp: boolean;
  /** Also allow addresses of the operator's own network (loopback, private, unique-local, shared). */
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
    if (!isAllowedAddress(host, rules.allowPrivate)) return refuse(UNUSABLE_HOST);
  } else if (isLocalName(host) && !rules.allowPrivate) {
    return refuse(UNUSABLE_HOST);
  }
  return { ok: true, url };
}

/** The same answer for unresolvable and internal hosts: a tenant must not learn which internal names exist. */
export const UNUSABLE_HOST = 'must name a host that resolves to public addresses';

/**
 * The host without the brackets of an IPv6 literal. The URL parser has already converted every form of an IPv4 address
 * (decimal, octal, hexadecimal, shortened, trailing dot) to four decimal numbers.
 */
function bareHost(url: URL): string {
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

/** How host names are resolved and checked. */
export interface HostCheck {
  allowPrivate: boolean;
  resolve: ResolveHost;
  /** How long a lookup may take. Refusing a host takes just as long. */
  lookupMs?: number | undefined;
}

interface TargetCheck extends TargetRules, HostCheck {
  /** Whether to accept a host without resolving it. */
  acceptUnresolvable: boolean;
}

/** A caller is waiting; a slower name server counts as unavailable. */
const LOOKUP_MS = 3_000;

/** The check at registration, which rejects webhooks that could never be delivered. Addresses are checked again on connect. */
export async function checkTarget(target: string, check: TargetCheck): Promise<CheckedTarget> {
  const checked = checkTargetUrl(target, check);
  if (!checked.ok) return checked;
  const host = bareHost(checked.url);
  // Literal addresses are already checked.
  if (isIP(host) !== 0 || check.acceptUnresolvable) return checked;
  return (await allowedAddresses(host, check)) === null ? refuse(UNUSABLE_HOST) : checked;
}

/**
 * The addresses of a host, or null if it has none or any of them is refused. Where private addresses are refused, null is
 * returned after the same time in every case: how long a lookup takes would tell whether an internal name exists.
 */
async function allowedAddresses(host: string, check: HostCheck): Promise<LookupAddress[] | null> {
  const { allowPrivate, resolve, lookupMs = LOOKUP_MS } = check;
  const { promise: deadline, resolve: expire } = Promise.withResolvers<null>();
  const timer = setTimeout(expire, lookupMs, null);
  const addresses = await Promise.race([resolve(host).catch(() => null), deadline]);
  const usable = addresses !== null && addresses.length > 0 && !findRefused(addresses, allowPrivate);
  if (!usable && !allowPrivate) await deadline;
  clearTimeout(timer);
  return usable ? addresses : null;
}

/** Resolves names and checks every answer before a connection is possible. */

/** All addresses of a host; rejects or resolves to an empty list if there are none. */
export type ResolveHost = (hostname: string) => Promise<LookupAddress[]>;

/**
 * If private addresses are allowed, names are resolved by the operating system (hosts file, search domains). Otherwise only
 * public DNS matters and is queried directly: `dns.lookup` occupies a thread of the pool that password hashing also uses, so a
 * tenant's dead name server could delay logins.
 */
export function defaultResolver(allowPrivate: boolean): ResolveHost {
  return allowPrivate ? (hostname) => dns.lookup(hostname, { all: true }) : publicDns();
}

/** Queries name servers only: the given ones, or the machine's. */
export function publicDns(servers?: string[]): ResolveHost {
  const resolver = new dns.Resolver({ timeout: 1000, tries: 2 });
  if (servers) resolver.setServers(servers);
  return async (hostname) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
    return [...answers(v4, 4), ...answers(v6, 6)];
  };
}

function answers(result: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
}

/** A host is refused if any of its addresses is refused. */
function findRefused(addresses: LookupAddress[], allowPrivate: boolean): string | undefined {
  return addresses.find(({ address }) => !isAllowedAddress(address, allowPrivate))?.address;
}

/** The socket's lookup: it connects to exactly the addresses checked here. */
export function guardedLookup(check: HostCheck): LookupFunction {
  return (hostname, options, callback) => {
    void allowedAddresses(hostname, check).then((addresses) => {
      if (addresses === null) callback(new OutboundError('dns', `the URL ${UNUSABLE_HOST}`), '');
      else if (options.all) callback(null, addresses);
      else callback(null, addresses[0]!.address, addresses[0]!.family);
    });
  };
}
