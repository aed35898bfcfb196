import { IconLock } from '@tabler/icons-react';
import { useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Session } from '../session/session.ts';
import { useSession } from '../session/session-context.ts';
import { ButtonLink } from '../ui/link.tsx';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';
import { Empty } from '../ui/states.tsx';
import { screenLabel } from './navigation.ts';
import type { Place } from './place.ts';

const ADMINS = ['ADMIN'];
const STAFF = ['ADMIN', 'INSTRUCTOR'];

/** The roles that a screen of a center needs, by the address below the center. Other screens are open to all members. */
const screenRoles: readonly (readonly [address: RegExp, roles: readonly string[]])[] = [
  // A decision itself can also be opened by its approvers and its requester.
  [/^decisions\/?$/, ADMINS],
  [/^(?:people|audit|webhooks|policies|groups|mandates|settings|subscription|api-keys)(?:\/|$)/, ADMINS],
  [/^(?:records|ledger|attendance|workflows)(?:\/|$)/, STAFF],
];

/** Why the person cannot open the screen; null if they can, or if only the service knows. */
function refusal({ me }: Session, place: Place, address: string): string | null {
  if (place === 'partner') return me.partner ? null : 'Only the accounts of a partner can open this page.';
  if (place === 'platform')
    return me.platformAdmin ? null : 'Only platform administrators can open this page.';
  const below = address.replace(/^\/c\/[^/]+\/?/, '');
  const roles = screenRoles.find(([pattern]) => pattern.test(below))?.[1];
  if (!roles || (me.role && roles.includes(me.role))) return null;
  return roles === ADMINS
    ? 'Only administrators of this center can open this page.'
    : 'Only people who work in this center can open this page.';
}

/**
 * Shows a screen, or one message if it is not for this person: without filters, buttons and requests that are refused. The
 * service checks every request, also those of a session whose role has just changed.
 */
export function AccessGate({ place, children }: { place: Place; children: ReactNode }) {
  const session = useSession();
  const address = useRouterState({ select: ({ location }) => location.pathname });
  const reason = refusal(session, place, address);
  if (reason === null) return children;
  return (
    <Page title={screenLabel(session, place, address) ?? 'No access'}>
      <Panel>
        <Empty
          icon={<IconLock />}
          title="You do not have access"
          action={
            <ButtonLink to="/" variant="default">
              Go to the start page
            </ButtonLink>
          }
        >
          {reason}
        </Empty>
      </Panel>
    </Page>
  );
}
