import { Kbd, Menu, useMantineColorScheme } from '@mantine/core';
import {
  IconCheck,
  IconDeviceDesktop,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconSelector,
  IconSun,
  IconUser,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { signOut } from '../session/session.ts';
import { useSession } from '../session/session-context.ts';
import { useSessionProvider } from '../session/session-provider.ts';
import { Avatar } from '../ui/avatar.tsx';
import classes from './person-menu.module.css';
import { openShortcuts } from './shortcuts.tsx';

const schemes = [
  ['light', 'Light', IconSun],
  ['dark', 'Dark', IconMoon],
  ['auto', 'Use system setting', IconDeviceDesktop],
] as const;

/** The signed-in user, with the account, the color scheme and signing out. */
export function PersonMenu() {
  const { me } = useSession();
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const provider = useSessionProvider({ pause: !isOpen });
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="top-start" width={232} opened={isOpen} onChange={setIsOpen}>
      <Menu.Target>
        <button type="button" className={classes.person}>
          <Avatar name={me.name} size={30} />
          <span className={classes.words}>
            <span className={classes.name}>{me.name}</span>
            <span className={classes.email}>{me.contactEmail}</span>
          </span>
          <IconSelector size={16} aria-hidden="true" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconUser size={16} />} onClick={() => void navigate({ to: '/me' })}>
          Your account
        </Menu.Item>
        <Menu.Item
          leftSection={<IconKeyboard size={16} />}
          rightSection={<Kbd size="xs">?</Kbd>}
          onClick={openShortcuts}
        >
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Appearance</Menu.Label>
        {schemes.map(([value, label, SchemeIcon]) => (
          <Menu.Item
            key={value}
            leftSection={<SchemeIcon size={16} />}
            rightSection={colorScheme === value && <IconCheck size={14} aria-label="chosen" />}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
        {provider?.logoutUrl && (
          <Menu.Item
            leftSection={<IconLogout size={16} />}
            onClick={() => void signOut(provider.logoutUrl ?? undefined)}
          >
            Also sign out of {provider.name}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
