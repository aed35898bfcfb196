import { Button, Group, Text } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { signOut } from '../../session/session.ts';
import { useSession } from '../../session/session-context.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';

interface ProviderSessionProps {
  provider: { name: string; logoutUrl: string | null } | null;
}

/** The profile of a person whose session a provider opened, or who exists only through one. */
export function ProviderSession({ provider }: ProviderSessionProps) {
  const { me } = useSession();
  return (
    <Panel title="Profile">
      <Facts of={{ Name: me.name, Email: me.contactEmail, 'Signed in with': provider?.name }} />
      <Text size="sm" my="md">
        {me.hasAccount
          ? `${provider?.name} opened this session, so it cannot change your profile, password or passkeys. To do that, sign out and use your password or a passkey.`
          : 'Your name and address come from your company. You have no password here.'}
      </Text>
      {provider?.logoutUrl && (
        <Group>
          <Button
            variant="default"
            leftSection={<IconLogout size={16} />}
            onClick={() => void signOut(provider.logoutUrl ?? undefined)}
          >
            Also sign out of {provider.name}
          </Button>
        </Group>
      )}
    </Panel>
  );
}
