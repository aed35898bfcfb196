import { Spotlight, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight';
import { IconSearch, IconUser } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useSession } from '../session/session-context.ts';
import { navigationOf } from './navigation.ts';
import { usePlace } from './place.ts';

export const openFinder = () => spotlight.open();

/** Goes anywhere by a few letters. */
export function Finder() {
  const navigate = useNavigate();
  const session = useSession();
  const { me, centers } = session;
  const screens = navigationOf(session, usePlace()).flatMap(({ entries }) => entries);
  const own = {
    label: 'Your account',
    to: '/me',
    icon: IconUser,
    keywords: ['passkeys', 'password', 'sessions'],
  };
  const groups: SpotlightActionGroupData[] = [
    {
      group: 'Go to',
      actions: [...screens, own].map(({ label, to, icon: ScreenIcon, keywords = [] }) => ({
        id: to,
        label,
        keywords,
        leftSection: <ScreenIcon size={18} stroke={1.6} />,
        onClick: () => void navigate({ to }),
      })),
    },
    {
      group: 'Centers',
      actions: centers
        .filter(({ id }) => id !== me.centerId)
        .map(({ name, centerDomain }) => ({
          id: `/c/${centerDomain}`,
          label: name,
          description: centerDomain,
          onClick: () => location.assign(`/c/${centerDomain}`),
        })),
    },
  ].filter(({ actions }) => actions.length > 0);
  return (
    <Spotlight
      actions={groups}
      shortcut="mod + K"
      nothingFound="No results"
      highlightQuery
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: 'Search screens and centers',
        'aria-label': 'Find',
      }}
    />
  );
}
