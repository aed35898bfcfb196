import { useSession } from '../../session/session-context.ts';
import { roleNames } from '../../text/roles.ts';
import { TablePanel } from '../../ui/loaded-table.tsx';
import { Page } from '../../ui/page.tsx';
import { membershipStatus } from '../../ui/state-pill.tsx';
import { Day } from '../../ui/time.tsx';
import { Guardians } from './guardians.tsx';
import { Notifications } from './notifications.tsx';
import { OwnAbsences } from './own-absences.tsx';
import { Passkeys } from './passkeys.tsx';
import { Password } from './password.tsx';
import { Profile } from './profile.tsx';
import { Sessions } from './sessions.tsx';

export default function MeScreen() {
  const { me } = useSession();
  return (
    <Page title="Your account" intro="Sign-in methods and active sessions." forms>
      <Profile />
      <Passkeys />
      <Password />
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
