import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWaiting } from '../screens/approvals/use-waiting.ts';
import { LivePartner, LivePlatform } from '../session/live-business.tsx';
import { LiveCenter } from '../session/live-center.tsx';
import { useSession } from '../session/session-context.ts';
import { centerZoneOf } from '../text/time.ts';
import { useShownBrand } from '../ui/brand-store.ts';
import { PlaceZone } from '../ui/zone.tsx';
import { AccessGate } from './access-gate.tsx';
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
            <AccessGate place={place}>
              <FeatureGate>
                <Outlet />
              </FeatureGate>
            </AccessGate>
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
  return <LiveCenter role={place === 'center' ? me.role : null}>{children}</LiveCenter>;
}

function Navigation({ place, onFollow }: { place: Place; onFollow: () => void }) {
  const session = useSession();
  const { requests, questions, label } = useWaiting({ pause: place !== 'center' });
  const isWaiting = requests + questions > 0;
  const groups = navigationOf(session, place, { hasRequests: requests > 0 });
  const badge = isWaiting && (
    <span className={classes.badge}>
      {label}
      <span className="visually-hidden"> waiting</span>
    </span>
  );
  const withBadge = (entry: Entry) => (entry.live === 'approvals' ? { ...entry, badge } : entry);
  return (
    <NavList
      groups={groups.map(({ label, entries }) => ({ label, entries: entries.map(withBadge) }))}
      onFollow={onFollow}
    />
  );
}
