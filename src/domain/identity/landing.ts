import type { ActorRole } from '../../db/generated/prisma/enums.ts';

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
  /** The tenant to open: with TENANT, and with ADMIN_DASHBOARD the center of the tokens, if they have one. */
  centerDomain: string | null;
}

export interface LandingFacts {
  platformAdmin: boolean;
  partnerAccount: boolean;
  email: string | null;
  /** The tenant named at sign-in; it is among the open ones. */
  requested: string | null;
  /** What the person's browser remembers; it may name anything. */
  lastVisited: string | null;
  /** The centers that may be entered right now, the oldest membership first. */
  open: readonly { centerDomain: string; role: ActorRole; emailDomains: readonly string[] }[];
  /** Some membership waits to be accepted or approved. */
  waiting: boolean;
}

export interface Arrival {
  landing: Landing;
  /** The center the tokens are for: never one that may not be entered, and none when there is none. */
  centerDomain: string | null;
}

/** The order of the contract, first match wins. There is no fallback center: only open ones are looked at. */
export function arrive(facts: LandingFacts): Arrival {
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

/** The one tenant that is meant, if one is. */
function tenantOf({ open, requested, email }: LandingFacts, visited: string | null): string | null {
  if (requested !== null) return requested;
  if (visited !== null) return visited;
  if (open.length === 1) return open[0]!.centerDomain;
  const emailDomain = email?.split('@').at(-1);
  const match = open.find(({ emailDomains }) => emailDomain && emailDomains.includes(emailDomain));
  return match?.centerDomain ?? null;
}

function pageOf({ open, partnerAccount, waiting }: LandingFacts): Landing['kind'] {
  if (open.length > 0) return 'TENANT_PICKER';
  if (partnerAccount) return 'PARTNER_DASHBOARD';
  return waiting ? 'WAITING' : 'ONBOARDING';
}
