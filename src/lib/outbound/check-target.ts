/** The check at registration: it spares tenants a webhook that could never be delivered. Connecting checks again. */
import { isIP } from 'node:net';
import { findRefused, type ResolveHost } from './resolve.ts';
import { bareHost, type CheckedTarget, checkTargetUrl, type TargetRules } from './targets.ts';

interface TargetCheck extends TargetRules {
  /** Whether a host may pass that cannot be resolved right now. */
  acceptUnresolvable: boolean;
  resolve: ResolveHost;
}

/** Somebody waits for the answer; a name server that takes longer counts as silent. */
const RESOLVE_TIMEOUT_MS = 3000;

/** One answer for names that do not resolve and names inside: a tenant must not learn which names exist there. */
const UNUSABLE_HOST = 'must name a host that resolves to public addresses';

export async function checkTarget(target: string, check: TargetCheck): Promise<CheckedTarget> {
  const { allowPrivate, acceptUnresolvable, resolve } = check;
  const checked = checkTargetUrl(target, check);
  if (!checked.ok) return checked;
  const host = bareHost(checked.url);
  // Literal addresses are checked already; where own addresses and unknown hosts may pass, asking is not worth the wait.
  if (isIP(host) !== 0 || (allowPrivate && acceptUnresolvable)) return checked;
  const addresses = await settledWithin(RESOLVE_TIMEOUT_MS, resolve(host));
  if (addresses === undefined || addresses.length === 0) {
    return acceptUnresolvable ? checked : { ok: false, reason: UNUSABLE_HOST };
  }
  const refused = findRefused(addresses, allowPrivate);
  return refused === undefined ? checked : { ok: false, reason: UNUSABLE_HOST };
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
