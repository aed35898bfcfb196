import { Spotlight, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { centerNavigation } from './center-navigation.ts';
import { useSession } from './session-context.ts';

export const openFinder = () => spotlight.open();

/** Goes anywhere by a few letters. */
export function Finder() {
  const navigate = useNavigate();
  const { me, centers } = useSession();
  const go = (to: string) => () => void navigate({ to });
  const current = centers.find(({ id }) => id === me.centerId);
  const screens = current
    ? centerNavigation(me.role, current.centerDomain).flatMap(({ entries }) => entries)
    : [];
  const groups: SpotlightActionGroupData[] = [
    {
      group: 'Go to',
      actions: screens.map(({ label, to, icon: ScreenIcon, keywords }) => ({
        id: to,
        label,
        keywords: keywords ?? [],
        leftSection: <ScreenIcon size={18} stroke={1.6} />,
        onClick: go(to),
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
      nothingFound="Nothing by that name"
      highlightQuery
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: 'Find a screen or a center',
        'aria-label': 'Find',
      }}
    />
  );
}
