import { IconHome } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useCenter, useSession } from '../../session/session-context.ts';
import { Page } from '../../ui/page.tsx';
import { Empty, Lines } from '../../ui/states.tsx';

const Overview = lazy(async () => ({ default: (await import('./overview.tsx')).OverviewScreen }));

/** The first page of a center, for whoever it is. */
export function HomeScreen() {
  const { me } = useSession();
  const { name } = useCenter();
  if (me.role === 'ADMIN') {
    return (
      <Suspense fallback={<Lines count={8} />}>
        <Overview />
      </Suspense>
    );
  }
  return (
    <Page title={`Welcome to ${name}`}>
      <Empty icon={<IconHome />} title="You are a member">
        Use the menu on the left. Your account is below it.
      </Empty>
    </Page>
  );
}
