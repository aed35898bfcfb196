import { promises as dns, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { classifyAddress, isAllowedAddress } from './addresses.ts';
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
    if (!isAllowedAddress(host, rules.allowPrivate)) return refuse(addressReason(host));
  } else if (isLocalName(host) && !rules.allowPrivate) {
    return refuse('must point to a public address (this one is loopback)');
  }
  return { ok: true, url };
}

/** Names the kind of address but not the address itself: tenants must not learn what a name resolves to internally. */
export function addressReason(address: string): string {
  return `must point to a public address (this one is ${classifyAddress(address)})`;
}

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

/** The check at registration, which rejects webhooks that could never be delivered. Addresses are checked again on connect. */

interface TargetCheck extends TargetRules {
  /** Whether to accept a host that cannot be resolved right now. */
  acceptUnresolvable: boolean;
  resolve: ResolveHost;
}

/** A caller is waiting; a slower name server counts as unavailable. */
const RESOLVE_TIMEOUT_MS = 3000;

/** The same answer for unresolvable and internal names: a tenant must not learn which internal names exist. */
const UNUSABLE_HOST = 'must name a host that resolves to public addresses';

export async function checkTarget(target: string, check: TargetCheck): Promise<CheckedTarget> {
  const { allowPrivate, acceptUnresolvable, resolve } = check;
  const checked = checkTargetUrl(target, check);
  if (!checked.ok) return checked;
  const host = bareHost(checked.url);
  // Literal addresses are already checked; if private addresses and unknown hosts are allowed, a lookup is not worth the wait.
  if (isIP(host) !== 0 || (allowPrivate && acceptUnresolvable)) return checked;
  const addresses = await settledWithin(RESOLVE_TIMEOUT_MS, resolve(host));
  if (addresses === undefined || addresses.length === 0) {
    return acceptUnresolvable ? checked : { ok: false, reason: UNUSABLE_HOST };
  }
  const refused = findRefused(addresses, allowPrivate);
  return refused === undefined ? checked : { ok: false, reason: UNUSABLE_HOST };
}

/** The resolved value, or undefined if the promise rejects or takes too long. */
async function settledWithin<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
  const { promise: tooLate, resolve: giveUp } = Promise.withResolvers<undefined>();
  const timer = setTimeout(giveUp, milliseconds, undefined);
  try {
    return await Promise.race([promise.catch(() => undefined), tooLate]);
  } finally {
    clearTimeout(timer);
  }
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
export function guardedLookup(resolve: ResolveHost, allowPrivate: boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolveAllowed(hostname, resolve, allowPrivate).then(
      (addresses) => {
        const first = addresses[0]!;
        if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: OutboundError) => callback(error, ''),
    );
  };
}

async function resolveAllowed(hostname: string, resolve: ResolveHost, allowPrivate: boolean) {
  const addresses = await resolve(hostname).catch((error: unknown) => {
    throw new OutboundError('dns', `the host ${hostname} could not be resolved`, error);
  });
  if (addresses.length === 0) throw new OutboundError('dns', `the host ${hostname} has no address`);
  const refused = findRefused(addresses, allowPrivate);
  if (refused) throw new OutboundError('refused-address', `the URL ${addressReason(refused)}`);
  return addresses;
}
