import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { announceProof } from '../../graphql/proof-tab.ts';
import { useSession } from '../../session/session-context.ts';
import { useSessionProvider } from '../../session/session-provider.ts';
import { roleNames } from '../../text/roles.ts';
import { TablePanel } from '../../ui/loaded-table.tsx';
import { Page } from '../../ui/page.tsx';
import { membershipStatus } from '../../ui/state-pill.tsx';
import { Lines } from '../../ui/states.tsx';
import { Day } from '../../ui/time.tsx';
import { ProviderFault } from '../entry/provider-fault.tsx';
import { Guardians } from './guardians.tsx';
import { Identities } from './identities.tsx';
import { Notifications } from './notifications.tsx';
import { OwnAbsences } from './own-absences.tsx';
import { Passkeys } from './passkeys.tsx';
import { Password } from './password.tsx';
import { Profile } from './profile.tsx';
import { ProviderSession } from './provider-session.tsx';
import { Sessions } from './sessions.tsx';

const route = getRouteApi('/inside/personal/me');

export default function MeScreen() {
  const { me } = useSession();
  const { error, request } = route.useSearch();
  const provider = useSessionProvider();
  useEffect(() => announceProof(!error), [error]);
  const isLimited = !me.hasAccount || !!provider;
  return (
    <Page title="Your account" intro="Sign-in methods and active sessions." forms>
      <ProviderFault code={error} request={request} isLink />
      {provider === undefined ? <Lines count={4} /> : null}
      {provider !== undefined && (isLimited ? <ProviderSession provider={provider} /> : <Profile />)}
      {provider !== undefined && !(provider && me.hasAccount) && <Passkeys />}
      {provider !== undefined && !isLimited && <Password />}
      {provider !== undefined && <Identities canChange={!isLimited} />}
      <Notifications />
      {me.centerId !== null && <OwnAbsences />}
      <Sessions />
      <Guardians />
      {me.memberships.length > 0 && (
        <TablePanel
          title="Memberships"
          rows={me.memberships}
          columns={[
            { name: 'Center', text: ({ centerName }) => centerName },
            { name: 'Role', cell: ({ role, centerVertical }) => roleNames(centerVertical).one(role) },
            membershipStatus,
            { name: 'Since', right: true, cell: ({ invitedAt }) => <Day at={invitedAt} /> },
          ]}
        />
      )}
    </Page>
  );
}
