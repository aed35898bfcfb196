// Proving that a profile is one's own, before an identity of a provider opens it. The browser that signed in holds a secret
// cookie, so neither a mailed link nor a password entered elsewhere connects the identity of someone else.

import { z } from 'zod';
import type { Tx } from '../../db/database.ts';
import type { Actor, Center, IdentityProvider, WaitingIdentity } from '../../db/generated/prisma/client.ts';
import { safeEqual, sha256Hex } from '../../lib/crypto.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { matchingHash } from '../credentials/prove.ts';
import { passkeyOf, proofFields } from '../credentials/reauthenticate.ts';
import { isVerifiedDomainOf } from '../email-domains/trust.ts';
import { countAttempt, throttleAttempts } from '../identity/attempts.ts';
import type { SignedIn } from '../identity/sessions.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { bindIdentity, settle } from './admit.ts';
import { readClaims } from './claims.ts';
import { lockProvider, openAdmitted, readSignIn } from './complete-sign-in.ts';
import { membershipEnded, requireNotSuspendedMember } from './match.ts';
import { claimsOfWaiting, type KeptClaims, keptClaims } from './waiting.ts';

export const confirmIdentityInput = proofFields
  .extend({
    token: z.string().min(1).max(1_024).nullish().describe('The part of the mailed link after the #.'),
  })
  .refine(
    ({ password, response, token }) =>
      [password, response, token].filter((each) => each != null).length === 1,
    { path: ['password'], message: 'give exactly one of password, response and token' },
  );

type Waiting = WaitingIdentity & {
  center: Center & { identityProvider: IdentityProvider };
  actor: Actor;
  kept: KeptClaims;
};

/** The identity that waits for the browser with this secret; null if there is none, or its provider was replaced. */
async function findWaiting({ app, now }: Context, secret: string | undefined): Promise<Waiting | null> {
  if (!secret) return null;
  const db = app.db.acrossTenants;
  const row = await db.waitingIdentity.findUnique({
    where: { browserHash: sha256Hex(secret), expiresAt: { gt: now } },
  });
  if (!row) return null;
  const center = await db.center.findUnique({
    where: { id: row.centerId, status: 'ACTIVE' },
    include: { identityProvider: true },
  });
  const provider = center?.identityProvider;
  const kept = keptClaims.parse(row.claims);
  if (!provider || provider.issuer !== row.issuer || provider.clientId !== kept.clientId) return null;
  const actor = await db.actor.findUniqueOrThrow({ where: { id: row.actorId } });
  return { ...row, center: { ...center, identityProvider: provider }, actor, kept };
}

/** What the page says of an identity that waits. */
export interface WaitingView {
  centerName: string;
  centerDomain: string;
  providerName: string;
  issuer: string;
  /** The name of the member whose profile is to be connected. */
  name: string;
  email: string | null;
  matchedBy: KeptClaims['matchedBy'];
  hasAccount: boolean;
  next: string | null;
  expiresAt: Date;
}

/** Shows no more of the member than the center does: an address only masked, unless the person at the browser gave it. */
export async function readWaitingIdentity(
  ctx: Context,
  secret: string | undefined,
): Promise<WaitingView | null> {
  const waiting = await findWaiting(ctx, secret);
  if (!waiting) return null;
  const { center, actor, kept, issuer, next, expiresAt } = waiting;
  const address = await proofAddress(ctx.app.db.acrossTenants, waiting);
  return {
    centerName: center.name,
    centerDomain: center.centerDomain,
    providerName: center.identityProvider.name,
    issuer,
    name: actor.name,
    email: address !== null && kept.all['email'] !== address ? masked(address) : address,
    matchedBy: kept.matchedBy,
    hasAccount: actor.homeCenterId === null,
    next,
    expiresAt,
  };
}

/** `ann@corp.test` as `a…@corp.test`. */
const masked = (email: string) => `${[...email][0]}…${email.slice(email.lastIndexOf('@'))}`;

/**
 * The address that proves who a person is: that of an account; for a person of the center the one with which they last signed
 * in, if the center owns the domain. An address from the directory is not used: its administrator could receive the link.
 */
async function proofAddress(
  db: Tx,
  { actor, centerId }: Pick<Waiting, 'actor' | 'centerId'>,
): Promise<string | null> {
  if (actor.homeCenterId === null) return actor.email;
  const last = await db.identity.findFirst({
    where: { actorId: actor.id, centerId, emailVerified: true, email: { not: null } },
    orderBy: [{ lastSignInAt: { sort: 'desc', nulls: 'last' } }, { linkedAt: 'desc' }],
  });
  if (!last?.email) return null;
  return (await isVerifiedDomainOf(db, centerId, last.email)) ? last.email : null;
}

/** Mails a link that proves the profile, if an identity waits and the person has an address. Says nothing about either. */
export async function mailIdentityLink(ctx: Context, secret: string | undefined): Promise<true> {
  await countAttempt(ctx, `identity link ${secret ? sha256Hex(secret).slice(0, 16) : ''}`);
  const waiting = await findWaiting(ctx, secret);
  if (!waiting) return true;
  const { browserHash, centerId, center, issuer, subject, kept } = waiting;
  const to = await proofAddress(ctx.app.db.acrossTenants, waiting);
  if (to === null) return true;
  const { name: provider } = center.identityProvider;
  const { email, name } = readClaims(center.identityProvider, claimsOfWaiting(waiting, kept));
  const about = { browserHash, centerId, name: email ?? name ?? subject, provider, issuer };
  await transact.acrossTenants(ctx, async (work) =>
    work.mail({ kind: 'identity_link', to, centerId, about }),
  );
  return true;
}

const noneWaits = () =>
  new DomainError('UNAUTHORIZED', 'No sign-in waits in this browser; sign in at the provider again.');

/** Binds the waiting identity to the person who has proven that the profile is theirs, and opens a session. */
export async function confirmIdentity(
  ctx: Context,
  secret: string | undefined,
  input: z.infer<typeof confirmIdentityInput>,
): Promise<SignedIn> {
  const waiting = await findWaiting(ctx, secret);
  if (!waiting) throw noneWaits();
  const { actor } = waiting;
  const account = actor.email ?? actor.phone ?? actor.id;
  await countAttempt(ctx, account);
  const proof = await throttleAttempts(ctx, account, { id: actor.id }, () => proofFrom(ctx, waiting, input));
  if (proof === undefined) throw new DomainError('INVALID_CREDENTIALS', 'This does not prove the profile.');
  return transact.acrossTenants(ctx, (work) => connect(ctx, work, waiting, input));
}

async function proofFrom(
  ctx: Context,
  { actor, mailedHash }: Waiting,
  { password, response, token }: z.infer<typeof confirmIdentityInput>,
): Promise<string | undefined> {
  if (password != null) return matchingHash(ctx, actor.id, password);
  if (response != null) return passkeyOf(ctx, actor.id, response);
  const hash = sha256Hex(token!);
  return mailedHash !== null && safeEqual(hash, mailedHash) ? hash : undefined;
}

async function connect(
  ctx: Context,
  work: Work,
  { browserHash, centerId, issuer, subject, actorId, membershipId, kept }: Waiting,
  { token }: z.infer<typeof confirmIdentityInput>,
): Promise<SignedIn> {
  const settings = await lockProvider(work.db, { centerId, issuer, clientId: kept.clientId });
  // Of concurrent confirmations exactly one deletes it. A newer link replaces the token of an earlier one.
  const { count } = await work.db.waitingIdentity.deleteMany({
    where: {
      browserHash,
      expiresAt: { gt: ctx.now },
      ...(token != null && { mailedHash: sha256Hex(token) }),
    },
  });
  if (count === 0) throw noneWaits();
  const signIn = readSignIn(settings, claimsOfWaiting({ issuer, subject }, kept));
  const membership = await work.db.membership.findUnique({ where: { id: membershipId } });
  if (!membership || membership.actorId !== actorId || membership.status === 'ENDED') throw membershipEnded();
  requireNotSuspendedMember(membership);
  const actor = await work.db.actor.findUniqueOrThrow({ where: { id: actorId } });
  const known = await work.db.identity.findUnique({
    where: { centerId_issuer_subject: { centerId, issuer, subject } },
  });
  if (known && known.actorId !== actorId) throw noneWaits();
  const identity = known ?? (await bindIdentity(ctx, work, signIn, actor));
  const admitted = await settle(ctx, work, signIn, { action: 'BIND', identity, actor, membership });
  return openAdmitted(ctx, work, signIn, admitted);
}
