import { IconLock } from '@tabler/icons-react';
import { useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Session } from '../session/session.ts';
import { useSession } from '../session/session-context.ts';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';
import { Empty } from '../ui/states.tsx';

/** The feature that a screen of a center needs, by its address. */
const screenFeatures: readonly (readonly [address: RegExp, feature: string])[] = [
  [/^\/c\/[^/]+\/workflows/, 'workflows'],
  [/^\/c\/[^/]+\/calendar/, 'booking'],
  [/^\/c\/[^/]+\/webhooks/, 'webhooks'],
  [/^\/c\/[^/]+\/api-keys/, 'proofApi'],
];

function missingFeature({ me }: Session, address: string) {
  const isSchedule = me.role !== 'ADMIN' && /^\/c\/[^/]+\/?$/.test(address);
  const needed = isSchedule ? 'booking' : screenFeatures.find(([pattern]) => pattern.test(address))?.[1];
  return me.features.find(({ id, enabled }) => id === needed && !enabled);
}

/** Shows a screen, or one message if the center lacks the feature. An outdated session still gets the message of the API. */
export function FeatureGate({ children }: { children: ReactNode }) {
  const session = useSession();
  const address = useRouterState({ select: ({ location }) => location.pathname });
  const missing = missingFeature(session, address);
  if (!missing) return children;
  const { name, neededPlan } = missing;
  return (
    <Page title={name}>
      <Panel>
        <Empty icon={<IconLock />} title="Not available in this center">
          {neededPlan
            ? `The plan of this center does not include the feature “${name}”. The ${neededPlan} plan does.`
            : `The feature “${name}” is switched off for this center.`}
        </Empty>
      </Panel>
    </Page>
  );
}
