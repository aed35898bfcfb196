/** The check at registration: it spares tenants a webhook that could never be delivered. Connecting judges again. */
import { isIP } from 'node:net';
import { findRefused, type ResolveHost } from './resolve.ts';
import { addressReason, bareHost, checkTargetUrl, type TargetRules, type TargetVerdict } from './targets.ts';

export interface TargetCheck extends TargetRules {
  /** Whether a host may pass that cannot be resolved right now. */
  acceptUnresolvable: boolean;
  resolve: ResolveHost;
}

/** Somebody waits for the answer; a name server that takes longer counts as silent. */
const RESOLVE_TIMEOUT_MS = 3000;

export async function checkTarget(target: string, check: TargetCheck): Promise<TargetVerdict> {
  const { allowPrivate, acceptUnresolvable, resolve } = check;
  const verdict = checkTargetUrl(target, check);
  if (!verdict.ok) return verdict;
  const host = bareHost(verdict.url);
  // Literal addresses are judged already; where own addresses and unknown hosts may pass, asking is not worth the wait.
  if (isIP(host) !== 0 || (allowPrivate && acceptUnresolvable)) return verdict;
  const addresses = await settledWithin(RESOLVE_TIMEOUT_MS, resolve(host));
  if (addresses === undefined || addresses.length === 0) {
    return acceptUnresolvable ? verdict : { ok: false, reason: 'must name a host that can be resolved' };
  }
  const refused = findRefused(addresses, allowPrivate);
  return refused === undefined ? verdict : { ok: false, reason: addressReason(refused) };
}

/** What the promise gives, or undefined when it rejects or takes too long. */
async function settledWithin<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
  const { promise: tooLate, resolve: giveUp } = Promise.withResolvers<undefined>();
  const timer = setTimeout(giveUp, milliseconds, undefined);
  try {
    return await Promise.race([promise.catch(() => undefined), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
