/** Names to addresses, with every answer checked before anyone can connect to it. */
import { promises as dns, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isAllowedAddress } from './addresses.ts';
import { OutboundError } from './failure.ts';
import { addressReason } from './targets.ts';

/** All addresses of a host; rejects, or answers with none, when there are none. */
export type ResolveHost = (hostname: string) => Promise<LookupAddress[]>;

/**
 * Where private addresses are allowed, names come from wherever the operating system takes them (hosts file, search
 * domains). Elsewhere only public DNS matters, and it is asked directly: `dns.lookup` occupies a thread of the pool that
 * password hashing also uses, so a tenant's dead name server could hold up logins.
 */
export function defaultResolver(allowPrivate: boolean): ResolveHost {
  return allowPrivate ? (hostname) => dns.lookup(hostname, { all: true }) : publicDns();
}

/** Asks name servers only: the ones given, or those the machine is set up with. */
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

/** One address that may not be called condemns its host, so no answer can hide another. */
export function findRefused(addresses: LookupAddress[], allowPrivate: boolean): string | undefined {
  return addresses.find(({ address }) => !isAllowedAddress(address, allowPrivate))?.address;
}

/** The lookup of a socket: the addresses checked here are the very ones that get connected to. */
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
