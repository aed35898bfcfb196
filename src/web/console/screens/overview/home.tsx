import { lazy, Suspense } from 'react';
import { useSession } from '../../session/session-context.ts';
import { Lines } from '../../ui/states.tsx';

const Overview = lazy(async () => ({ default: (await import('./overview.tsx')).OverviewScreen }));
const Today = lazy(async () => ({ default: (await import('../calendar/today.tsx')).TodayScreen }));
const FamilyWeek = lazy(async () => ({
  default: (await import('../calendar/family-week.tsx')).FamilyWeekScreen,
}));

/** The first page of a center: each role begins where its work is. */
export function HomeScreen() {
  const { me } = useSession();
  return <Suspense fallback={<Lines count={8} />}>{screenOf(me.role)}</Suspense>;
}

function screenOf(role: string) {
  switch (role) {
    case 'ADMIN':
      return <Overview />;
    case 'INSTRUCTOR':
      return <Today />;
    default:
      return <FamilyWeek />;
  }
}
