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
  /** The tenant to open; only with TENANT. */
  centerDomain: string | null;
}

export interface LandingFacts {
  platformAdmin: boolean;
  partnerAccount: boolean;
  email: string | null;
  /** The tenant named at sign-in; it is among the open ones. */
  requested: string | null;
  /** What the cookie says; it may name anything. */
  lastVisited: string | null;
  /** The centers that may be entered right now, the oldest membership first. */
  open: readonly { centerDomain: string; emailDomains: readonly string[] }[];
  /** Some membership waits to be accepted or approved. */
  waiting: boolean;
}

export interface Arrival {
  landing: Landing;
  /** The center the tokens are for: never one that may not be entered, and none when there is none. */
  centerDomain: string | null;
}

const tenant = (centerDomain: string): Landing => ({ kind: 'TENANT', centerDomain });
const page = (kind: Landing['kind']): Landing => ({ kind, centerDomain: null });

/** The order of the contract, first match wins. There is no fallback center: only open ones are looked at. */
export function arrive(facts: LandingFacts): Arrival {
  const { open } = facts;
  const visited = open.find(({ centerDomain }) => centerDomain === facts.lastVisited)?.centerDomain;
  const landing = landingOf(facts, visited);
  return {
    landing,
    centerDomain: landing.centerDomain ?? facts.requested ?? visited ?? open[0]?.centerDomain ?? null,
  };
}

function landingOf({ open, ...facts }: LandingFacts, visited: string | undefined): Landing {
  if (facts.platformAdmin) return page('ADMIN_DASHBOARD');
  if (facts.requested !== null) return tenant(facts.requested);
  if (visited !== undefined) return tenant(visited);
  if (open.length === 1) return tenant(open[0]!.centerDomain);
  const emailDomain = facts.email?.split('@').at(-1);
  const match = open.find(({ emailDomains }) => emailDomain && emailDomains.includes(emailDomain));
  if (match) return tenant(match.centerDomain);
  if (open.length > 1) return page('TENANT_PICKER');
  if (facts.partnerAccount) return page('PARTNER_DASHBOARD');
  return page(facts.waiting ? 'WAITING' : 'ONBOARDING');
}
