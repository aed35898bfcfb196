import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { graphql } from '../graphql/graphql.ts';
import { useRead } from '../graphql/use-read.ts';
import { LivePartner, LivePlatform } from '../session/live-business.tsx';
import { LiveCenter, useAuditEvents, useDecisionChanges } from '../session/live-center.tsx';
import { hasFeature, useSession } from '../session/session-context.ts';
import { centerZoneOf } from '../text/time.ts';
import { useShownBrand } from '../ui/brand-store.ts';
import { useRefresh } from '../ui/use-refresh.ts';
import { PlaceZone } from '../ui/zone.tsx';
import { FeatureGate } from './feature-gate.tsx';
import classes from './nav-list.module.css';
import { NavList } from './nav-list.tsx';
import { type Entry, navigationOf } from './navigation.ts';
import { type Place, PlaceContext } from './place.ts';
import { PlaceSwitcher } from './place-switcher.tsx';
import { Shell } from './shell.tsx';

/** The frame of a center, a partner or the platform, with its navigation. */
export function PlaceShell({ place }: { place: Place }) {
  const { me, centers } = useSession();
  const center = place === 'center' && centers.find(({ id }) => id === me.centerId);
  useShownBrand(center ? center.brand : null);
  return (
    <PlaceContext value={place}>
      <PlaceZone value={center ? centerZoneOf(center.settings) : null}>
        <Live place={place}>
          <Shell
            place={<PlaceSwitcher />}
            navigation={(close) => <Navigation place={place} onFollow={close} />}
          >
            <FeatureGate>
              <Outlet />
            </FeatureGate>
          </Shell>
        </Live>
      </PlaceZone>
    </PlaceContext>
  );
}

/** Subscribes to the live updates that the user may receive in this place. */
function Live({ place, children }: { place: Place; children: ReactNode }) {
  const { me } = useSession();
  if (place === 'partner') return <LivePartner follow={me.partner !== null}>{children}</LivePartner>;
  if (place === 'platform') return <LivePlatform follow={me.platformAdmin}>{children}</LivePlatform>;
  return <LiveCenter follow={place === 'center' && me.role === 'ADMIN'}>{children}</LiveCenter>;
}

function Navigation({ place, onFollow }: { place: Place; onFollow: () => void }) {
  const session = useSession();
  const groups = navigationOf(session, place);
  const showsWaiting = groups.some(({ entries }) => entries.some(({ live }) => live === 'approvals'));
  const waiting = useWaiting(showsWaiting);
  const withBadge = (entry: Entry) => (entry.live === 'approvals' ? { ...entry, badge: waiting } : entry);
  return (
    <NavList
      groups={groups.map(({ label, entries }) => ({ label, entries: entries.map(withBadge) }))}
      onFollow={onFollow}
    />
  );
}

const Waiting = graphql(`
  query Waiting($isAdmin: Boolean!, $workflows: Boolean!) {
    decisionEvents(first: 1, filter: { statuses: [recorded, approved] }) @include(if: $isAdmin) { totalCount }
    workflowQuestions(first: 1) @include(if: $workflows) { totalCount }
  }
`);

function useWaiting(follow: boolean) {
  const session = useSession();
  const { me } = session;
  const asked = { isAdmin: me.role === 'ADMIN', workflows: hasFeature(session, 'workflows') };
  const read = useRead(Waiting, asked, { pause: !follow });
  useDecisionChanges(read.reload);
  useAuditEvents('workflow.executed', read.reload);
  // Administrators receive new questions live; other roles have no stream and poll.
  useRefresh(() => follow && me.role !== 'ADMIN' && void read.reload());
  const { decisionEvents, workflowQuestions } = read.data ?? {};
  const total = (decisionEvents?.totalCount ?? 0) + (workflowQuestions?.totalCount ?? 0);
  if (total === 0) return null;
  return (
    <span className={classes.badge}>
      {total > 99 ? '99+' : total}
      <span className="visually-hidden"> waiting</span>
    </span>
  );
}
