import type { ResultOf } from 'gql.tada';
import { graphql } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { safeNext } from '../../session/landing.ts';

export const FindSignInOptions = graphql(`
  query FindSignInOptions($center: String, $email: String) {
    signInOptions(center: $center, email: $email) { password oidc { name startUrl } }
  }
`);

export type SignInOptions = ResultOf<typeof FindSignInOptions>['signInOptions'];

const PASSWORD_ONLY: SignInOptions = { password: true, oidc: null };

interface FoundOptions {
  options: SignInOptions;
  /** What a center that the address names offers is not known yet. */
  loading: boolean;
}

/** How to sign in: to the named center, else with the email address, else to the center that was open last in this browser. */
export function useSignInOptions(center: string | undefined, email: string): FoundOptions {
  const named = useRead(FindSignInOptions, { center: center ?? null, email: null }, { pause: !center });
  const owned = useRead(FindSignInOptions, { center: null, email }, { pause: !email });
  const last = useRead(FindSignInOptions, { center: null, email: null }, { pause: !!center || !!email });
  const ofLast = !center && !email ? last.data?.signInOptions : undefined;
  const found = [
    center ? named.data?.signInOptions : undefined,
    email ? owned.data?.signInOptions : undefined,
    // The person may want another center this time, whose password works.
    ofLast && { ...ofLast, password: true },
  ].find((each) => each?.oidc);
  return { options: found ?? PASSWORD_ONLY, loading: !!center && !named.data && !named.failure };
}

/** The address that begins a sign-in at the provider and returns to a page of this console. */
export function startAddress(startUrl: string, { next, hint }: { next?: string | undefined; hint?: string }) {
  const url = new URL(startUrl, location.origin);
  const target = safeNext(next);
  if (target) url.searchParams.set('next', target.slice(new URL(target).origin.length));
  if (hint) url.searchParams.set('hint', hint);
  return url.href;
}
