import { Outlet } from '@tanstack/react-router';
import { graphql } from '../graphql/graphql.ts';
import { useRead } from '../graphql/use-read.ts';
import { centerNavigation } from './center-navigation.ts';
import { CenterSwitcher } from './center-switcher.tsx';
import { LiveCenter, useDecisionsHappen } from './live-center.tsx';
import classes from './nav-list.module.css';
import { NavList } from './nav-list.tsx';
import { useCenter, useSession } from './session-context.ts';
import { Shell } from './shell.tsx';

const Waiting = graphql(
  `query Waiting { decisionEvents(first: 1, filter: { status: recorded }) { totalCount } }`,
);

/** Everything inside one center. */
export function CenterShell() {
  const { me } = useSession();
  return (
    <LiveCenter follow={me.role === 'ADMIN'}>
      <Shell place={<CenterSwitcher />} navigation={(close) => <CenterNavigation onFollow={close} />}>
        <Outlet />
      </Shell>
    </LiveCenter>
  );
}

function CenterNavigation({ onFollow }: { onFollow: () => void }) {
  const { me } = useSession();
  const { centerDomain } = useCenter();
  const waiting = useRead(Waiting, {}, { pause: me.role !== 'ADMIN' });
  useDecisionsHappen(waiting.reload);
  const total = waiting.data?.decisionEvents.totalCount ?? 0;
  const badge = total > 0 && (
    <span className={classes.badge}>
      {total > 99 ? '99+' : total}
      <span className="visually-hidden"> waiting</span>
    </span>
  );
  const groups = centerNavigation(me.role, centerDomain).map(({ label, entries }) => ({
    label,
    entries: entries.map((entry) => (entry.live === 'approvals' ? { ...entry, badge } : entry)),
  }));
  return <NavList groups={groups} onFollow={onFollow} />;
}
