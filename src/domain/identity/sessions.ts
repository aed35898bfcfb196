import type { Prisma, Tx } from '../../db/database.ts';
import type { Actor } from '../../db/generated/prisma/client.ts';
import type { ActorRole } from '../../db/generated/prisma/enums.ts';
import { randomToken, sha256Hex } from '../../lib/crypto.ts';
import { DomainError } from '../../lib/errors.ts';
import type { ListPage } from '../../lib/paging.ts';
import type { Context } from '../context.ts';
import type { ActorPrincipal } from '../principal.ts';
import { transact, type Work } from '../unit-of-work.ts';
import type { Landing } from './landing.ts';
import { currentActor } from './me.ts';
import type { OpenCenter } from './open-centers.ts';
import { shownEmailOf } from './reach.ts';
import { ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_SECONDS, signAccessToken } from './tokens.ts';

/** The response to signing in, switching the center and refreshing. */
export interface SignedIn {
  accessToken: string;
  refreshToken: string;
  expiresIn: number;
  actor: { id: string; email: string; name: string; role: ActorRole };
  center: { id: number; name: string; domain: string } | null;
  /** Where to go; only after signing in. */
  landing: Landing | null;
}

interface Grant {
  sessionId: string;
  /** No token outlives the session. */
  sessionEnds: Date;
  actor: Actor;
  /** Every center that may be entered. */
  open: readonly OpenCenter[];
  /** The center of the tokens. It may be closed; then they give no access until it is open again. */
  center: { id: number; centerDomain: string } | null;
}

export const refreshExpiry = (now: Date) => new Date(now.getTime() + REFRESH_TOKEN_SECONDS * 1_000);

/** Creates a new pair of tokens for a session. The refresh token is stored only as a hash. */
export async function grantTokens({ app, now }: Context, db: Tx, grant: Grant): Promise<SignedIn> {
  const { actor, sessionId, sessionEnds, open } = grant;
  const current = open.find(({ id }) => id === grant.center?.id);
  const role = current?.role ?? actor.baseRole;
  const refreshToken = randomToken();
  await db.refreshToken.create({
    data: {
      tokenHash: sha256Hex(refreshToken),
      sessionId,
      createdAt: now,
      expiresAt: sessionEnds,
    },
  });
  const lifetime = Math.min(
    ACCESS_TOKEN_SECONDS,
    Math.floor((sessionEnds.getTime() - now.getTime()) / 1_000),
  );
  const accessToken = signAccessToken(
    {
      actorId: actor.id,
      email: actor.email ?? '',
      centerId: grant.center?.id ?? null,
      centerDomain: grant.center?.centerDomain ?? null,
      role,
      authorizedDomains: open.map((center) => center.centerDomain),
      sessionId,
    },
    app.config.jwtSecret,
    now,
    lifetime,
  );
  return {
    accessToken,
    refreshToken,
    expiresIn: lifetime,
    actor: { id: actor.id, email: actor.email ?? '', name: actor.name, role },
    center: current ? { id: current.id, name: current.name, domain: current.centerDomain } : null,
    landing: null,
  };
}

export type RevocationReason =
  | 'logout'
  | 'revoked'
  | 'refresh token reuse'
  | 'too many wrong passwords'
  | 'password changed'
  | 'password reset'
  | 'ended by a platform admin'
  | 'account suspended'
  | 'provider changed'
  | 'signed out at the provider'
  | 'identity unlinked'
  | 'membership ended'
  | 'suspended by the directory';

/** Ends a session and all its tokens. Returns false if it had already ended. */
export async function endSession(
  { now }: Context,
  work: Work,
  sessionId: string,
  reason: RevocationReason,
): Promise<boolean> {
  const { count } = await work.db.session.updateMany({
    where: { id: sessionId, revokedAt: null },
    data: { revokedAt: now, revokedReason: reason },
  });
  if (count === 0) return false;
  const { centerId, actor } = await work.db.session.findUniqueOrThrow({
    where: { id: sessionId },
    include: { actor: true },
  });
  work.audit({
    type: 'auth.session_revoked',
    target: sessionId,
    detail: { reason },
    centerId,
    actor: { id: actor.id, email: shownEmailOf(actor) },
  });
  return true;
}

interface EndSessionsOptions {
  /** The session that stays. */
  except?: string;
  /** Only these sessions. */
  where?: Prisma.SessionWhereInput;
  /** The audit entries name the caller, who is not the person. */
  byOther?: boolean;
}

/** Ends all live sessions of a person. Returns how many. */
export async function endSessionsOf(
  { now }: Context,
  work: Work,
  actor: { id: string; email: string | null },
  reason: RevocationReason,
  { except, where, byOther = false }: EndSessionsOptions = {},
): Promise<number> {
  const ended = await work.db.session.updateManyAndReturn({
    where: {
      actorId: actor.id,
      revokedAt: null,
      expiresAt: { gt: now },
      ...(except !== undefined && { id: { not: except } }),
      ...(where && { AND: where }),
    },
    data: { revokedAt: now, revokedReason: reason },
  });
  for (const { id, centerId } of ended) {
    const detail = { reason, ...(byOther && { person: actor.email ?? actor.id }) };
    work.audit({ type: 'auth.session_revoked', target: id, detail, centerId, ...(!byOther && { actor }) });
  }
  return ended.length;
}

/** A session from a provider sees and ends only sessions from the same provider. */
const ownSessions = ({ actorId, identity }: ActorPrincipal): Prisma.SessionWhereInput => ({
  actorId,
  ...(identity && { identity: { centerId: identity.centerId, issuer: identity.issuer } }),
});

/** Ends the caller's other live sessions. Returns how many. */
export function endOtherSessions(ctx: Context, work: Work, reason: RevocationReason): Promise<number> {
  const caller = currentActor(ctx);
  const actor = { id: caller.actorId, email: caller.shownEmail };
  return endSessionsOf(ctx, work, actor, reason, { except: caller.sessionId, where: ownSessions(caller) });
}

/** Ends all of the caller's sessions except this one. Returns how many there were. */
export function revokeOtherSessions(ctx: Context): Promise<number> {
  return transact.acrossTenants(ctx, (work) => endOtherSessions(ctx, work, 'revoked'));
}

/** Ends the caller's current session. */
export async function logout(ctx: Context): Promise<boolean> {
  const { sessionId } = currentActor(ctx);
  await transact.acrossTenants(ctx, (work) => endSession(ctx, work, sessionId, 'logout'));
  return true;
}

/** The caller's own live sessions, newest first. */
export function listSessions(ctx: Context, page: ListPage) {
  return ctx.app.db.acrossTenants.session.findMany({
    where: { ...ownSessions(currentActor(ctx)), revokedAt: null, expiresAt: { gt: ctx.now } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    ...page,
  });
}

/** Ends one of the caller's own sessions. Ending it again has no effect. */
export async function revokeSession(ctx: Context, id: string) {
  const own = ownSessions(currentActor(ctx));
  return transact.acrossTenants(ctx, async (work) => {
    const session = await work.db.session.findFirst({ where: { ...own, id } });
    if (!session) throw new DomainError('NOT_FOUND', 'Session not found.');
    await endSession(ctx, work, id, 'revoked');
    return work.db.session.findUniqueOrThrow({ where: { id } });
  });
}

// A readable name for a browser, by which people recognize their devices.

const BROWSERS: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
];

const SYSTEMS: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const LONGEST = 60;

const named = (names: [RegExp, string][], text: string) => names.find(([form]) => form.test(text))?.[1];

/** “Firefox on Windows”; for programs, the first word of their user agent; null if there is none. */
export function deviceOf(userAgent: string | null): string | null {
  if (!userAgent) return null;
  const [browser, system] = [named(BROWSERS, userAgent), named(SYSTEMS, userAgent)];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? userAgent.split(/[\s/]/, 1)[0]!.slice(0, LONGEST);
}
