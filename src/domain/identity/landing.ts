import type { ActorRole } from '../../db/generated/prisma/enums.ts';
import type { Context } from '../context.ts';
import type { ActorPrincipal } from '../principal.ts';
import { surveyCenters } from './open-centers.ts';

/** Where a person goes after signing in. */
export const landingKinds = [
  'ADMIN_DASHBOARD',
  'PARTNER_DASHBOARD',
  'TENANT',
  'TENANT_PICKER',
  'WAITING',
  'ONBOARDING',
] as const;

export interface Landing {
  kind: (typeof landingKinds)[number];
  /** The tenant to open: for TENANT, and for ADMIN_DASHBOARD the center of the tokens, if any. */
  centerDomain: string | null;
}

export interface LandingFacts {
  platformAdmin: boolean;
  partnerAccount: boolean;
  email: string | null;
  /** The tenant named at sign-in. It is one of the open ones. */
  requested: string | null;
  /** The tenant stored in the person's browser, which may be any value. */
  lastVisited: string | null;
  /** The centers that may be entered now, oldest membership first. */
  open: readonly { centerDomain: string; role: ActorRole; emailDomains: readonly string[] }[];
  /** Whether a membership is waiting for acceptance or approval. */
  waiting: boolean;
  /** Whether a center is closed only because it requires its identity provider, which the picker offers. */
  providerRequired: boolean;
}

export interface Arrival {
  landing: Landing;
  /** The center of the tokens: always one that may be entered, or none. */
  centerDomain: string | null;
}

/**
 * The order defined by the contract; the first match wins. There is no fallback center, because only open ones are considered.
 */
export function chooseLanding(facts: LandingFacts): Arrival {
  const { open } = facts;
  const visited = open.find(({ centerDomain }) => centerDomain === facts.lastVisited)?.centerDomain ?? null;
  const current = facts.requested ?? visited ?? open[0]?.centerDomain ?? null;
  if (facts.platformAdmin || open.some(({ role }) => role === 'ADMIN')) {
    return { landing: { kind: 'ADMIN_DASHBOARD', centerDomain: current }, centerDomain: current };
  }
  const tenant = tenantOf(facts, visited);
  if (tenant !== null) return { landing: { kind: 'TENANT', centerDomain: tenant }, centerDomain: tenant };
  return { landing: { kind: pageOf(facts), centerDomain: null }, centerDomain: current };
}

/** The one tenant that is meant, if any. */
function tenantOf({ open, requested, email }: LandingFacts, visited: string | null): string | null {
  if (requested !== null) return requested;
  if (visited !== null) return visited;
  if (open.length === 1) return open[0]!.centerDomain;
  const emailDomain = email?.split('@').at(-1);
  const match = open.find(({ emailDomains }) => emailDomain && emailDomains.includes(emailDomain));
  return match?.centerDomain ?? null;
}

function pageOf({ open, partnerAccount, waiting, providerRequired }: LandingFacts): Landing['kind'] {
  if (open.length > 0 || providerRequired) return 'TENANT_PICKER';
  if (partnerAccount) return 'PARTNER_DASHBOARD';
  return waiting ? 'WAITING' : 'ONBOARDING';
}

/** Where the person would arrive after signing in now, staying in the session's center. */
export async function landingOf(
  ctx: Context,
  actor: ActorPrincipal,
  lastVisited: string | null,
): Promise<Landing> {
  const survey = await surveyCenters(ctx.app.db.acrossTenants, actor);
  const { landing } = chooseLanding({
    platformAdmin: actor.platformAdmin,
    partnerAccount: actor.partner !== null,
    email: actor.email,
    requested: actor.center.open ? actor.center.centerDomain : null,
    lastVisited,
    ...survey,
  });
  return landing;
}

export type PartnerAccount = NonNullable<ActorPrincipal['partner']> & { name: string };

/** The partner that the person has an account for, if any. */
export async function partnerAccountOf(
  { app }: Context,
  { partner }: ActorPrincipal,
): Promise<PartnerAccount | null> {
  if (!partner) return null;
  const { name } = await app.db.acrossTenants.partner.findUniqueOrThrow({ where: { id: partner.id } });
  return { ...partner, name };
}
