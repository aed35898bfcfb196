import { IconHome } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { hasFeature, useCenter, useSession } from '../../session/session-context.ts';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { WaitingPanel } from '../approvals/waiting-panel.tsx';

const Overview = lazy(() => import('./overview.tsx'));
const Today = lazy(() => import('../calendar/today.tsx'));
const FamilyWeek = lazy(() => import('../calendar/family-week.tsx'));

/** The start page of a center, by role. */
export default function HomeScreen() {
  const session = useSession();
  const { role } = session.me;
  if (role !== 'ADMIN' && !hasFeature(session, 'booking')) return <WithoutBookings />;
  return <Suspense>{screenOf(role)}</Suspense>;
}

/** Without bookings there is no schedule to show. */
function WithoutBookings() {
  const { name } = useCenter();
  return (
    <Page title={`Welcome to ${name}`}>
      <WaitingPanel />
      <Empty icon={<IconHome />} title="You are a member">
        This center does not use bookings. Your account is at the bottom of the menu.
      </Empty>
    </Page>
  );
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
