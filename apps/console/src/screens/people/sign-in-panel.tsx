import { Copyable } from '../../ui/copy.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Ago, Day } from '../../ui/time.tsx';
import type { Member } from './members.ts';
import { EmergencyPill, signInWay, useProviderName } from './sign-in-way.tsx';

/** How the member signs in, and whether the directory keeps the membership. */
export function SignInPanel({ member }: { member: Member }) {
  const provider = useProviderName();
  const { identity, directory, emergencyAccess } = member;
  return (
    <Panel title="Sign-in">
      <Facts
        wide
        of={{
          'Signs in with': signInWay(member, provider),
          'Last company sign-in': identity?.lastSignInAt && <Ago at={identity.lastSignInAt} />,
          'Subject at the provider': identity && (
            <Copyable value={identity.subject} label="Copy the subject" />
          ),
          Issuer: identity?.issuer,
          'In the directory since': directory && <Day at={directory.since} />,
          'User name in the directory': directory?.userName,
          'External ID in the directory': directory?.externalId,
          Exception: emergencyAccess && <EmergencyPill />,
        }}
      />
    </Panel>
  );
}
