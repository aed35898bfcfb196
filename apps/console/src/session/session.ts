import { notifications } from '@mantine/notifications';
import type { ResultOf } from 'gql.tada';
import { removeAllDrafts, setDraftOwner } from '../browser/drafts.ts';
import { makeClient } from '../graphql/client.ts';
import { failureOf } from '../graphql/failure.ts';
import { graphql } from '../graphql/graphql.ts';
import { sessionEnded } from '../graphql/session-fetch.ts';
import { setStreamOwner } from '../graphql/shared-stream.ts';
import { announceCenter } from '../graphql/tab-center.ts';

export const client = makeClient();

const WhoAmI = graphql(`
  query WhoAmI {
    me {
      actorId
      name
      approvalName
      approvalNameUntil
      email
      contactEmail
      hasAccount
      phone
      role
      centerId
      centerDomain
      platformAdmin
      partner { id name role }
      features { id name enabled neededPlan }
      landing { kind centerDomain }
      memberships { id centerId centerName centerDomain centerVertical role status invitedAt }
    }
    centers { id name centerDomain vertical status settings brand { name tagline shades logo } }
  }
`);

export type Session = ResultOf<typeof WhoAmI>;

let known: Session | null | undefined;

/** The session, loaded once per page load; null without one. */
export async function loadSession(): Promise<Session | null> {
  if (known !== undefined) return known;
  const { data, error } = await client.query(WhoAmI, {}, { requestPolicy: 'cache-and-network' }).toPromise();
  const failure = failureOf(error);
  if (failure && failure.code !== 'UNAUTHORIZED' && failure.code !== 'TOKEN_EXPIRED') {
    throw new Error(failure.message, { cause: failure });
  }
  known = data ?? null;
  announceCenter(known?.me.centerId ?? null);
  setStreamOwner(known?.me.actorId, known?.me.centerId);
  setDraftOwner(known?.me.actorId, known?.me.centerId);
  return known;
}

/** Call after a change of the user's data. */
export function invalidateSession(): void {
  known = undefined;
}

const SwitchCenter = graphql(`
  mutation SwitchCenter($input: SwitchCenterInput!) {
    switchCenter(input: $input) { center { id domain } }
  }
`);

const sendings = new Set<() => Promise<unknown>>();

/** Sends what waits to be sent before the session leaves its center or ends. */
export function beforeLeavingCenter(send: () => Promise<unknown>): void {
  sendings.add(send);
}

const sendWaiting = () => Promise.all([...sendings].map((send) => send()));

/** Switches the session to another center and clears cached data. */
export async function enterCenter(centerId: number): Promise<Session | null> {
  await sendWaiting();
  const { error } = await client.mutation(SwitchCenter, { input: { centerId } }).toPromise();
  if (error) throw new Error('The center cannot be entered.', { cause: failureOf(error) });
  invalidateSession();
  return loadSession();
}

const Logout = graphql(`mutation Logout { logout }`);

/**
 * Loads another page, so that no data of the session stay in memory: the sign-in page, or that of a provider where the person
 * signs out too. If the service was not reached, the session goes on.
 */
export async function signOut(next = '/sign-in'): Promise<void> {
  await sendWaiting();
  const { error } = await client.mutation(Logout, {}).toPromise();
  if (failureOf(error)?.code === 'UNREACHABLE') {
    const message = 'The service could not be reached. Try again.';
    notifications.show({ id: 'sign-out', color: 'red', title: 'You are still signed in', message });
    return;
  }
  removeAllDrafts();
  location.assign(next);
}

export const signInAddress = (next: string) =>
  next === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`;

const OPEN_TO_ALL = /^\/(sign-in|forgot-password|reset|connect|invitation)\b/;

let hasEnded = false;

/** The page is about to be replaced by the sign-in page, and drafts are kept. */
export const hasSessionEnded = (): boolean => hasEnded;

sessionEnded.addEventListener('ended', () => {
  // On the first load there may be no session; the router redirects.
  if (known && !OPEN_TO_ALL.test(location.pathname)) {
    hasEnded = true;
    location.assign(signInAddress(location.pathname + location.search));
  }
});
