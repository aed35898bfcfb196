import { createContext, useContext } from 'react';
import type { Session } from './session.ts';

export const SessionContext = createContext<Session | null>(null);

/** The signed-in person; only screens behind the sign-in ask. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('not signed in');
  return session;
}

/** The center this tab is about. */
export function useCenter() {
  const { me, centers } = useSession();
  const center = centers.find(({ id }) => id === me.centerId);
  if (!center) throw new Error('no center selected');
  return center;
}
