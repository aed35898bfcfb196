import { createContext, useContext, useMemo } from 'react';
import { type RoleNames, roleNames } from '../text/roles.ts';
import { centerZoneOf } from '../text/time.ts';
import type { Session } from './session.ts';

export const SessionContext = createContext<Session | null>(null);

/** The signed-in user. Use only on screens that require a session. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('not signed in');
  return session;
}

/** Whether the person works in the center, as an administrator or an instructor. */
export function useIsStaff(): boolean {
  const { role } = useSession().me;
  return role === 'ADMIN' || role === 'INSTRUCTOR';
}

/** Whether the current center has a feature. */
export const hasFeature = ({ me }: Session, feature: string): boolean =>
  me.features.find(({ id }) => id === feature)?.enabled ?? true;

/** What the public proof pages of the center may show; null if it has none. */
export function usePublicProof(): { disclose: readonly string[] } | null {
  const session = useSession();
  const { proof } = useCenter().settings as { proof?: { enabled?: boolean; disclose?: string[] } };
  const isOn = hasFeature(session, 'proofPage') && proof?.enabled !== false;
  return isOn ? { disclose: proof?.disclose ?? [] } : null;
}

/** Whether the center publishes the content of its platform records, so that others can verify them. */
export const usePublishesRecords = (): boolean => usePublicProof()?.disclose.includes('content') ?? false;

/** The center of this tab. */
export function useCenter() {
  const { me, centers } = useSession();
  const center = centers.find(({ id }) => id === me.centerId);
  if (!center) throw new Error('no center selected');
  return center;
}

/** The time zone of the center, in which its days begin and end. */
export function useZone(): string {
  return centerZoneOf(useCenter().settings);
}

/** Names of roles in the center. */
export function useRoleNames(): RoleNames {
  const { vertical } = useCenter();
  return useMemo(() => roleNames(vertical), [vertical]);
}
