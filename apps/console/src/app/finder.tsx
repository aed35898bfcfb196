import { Spotlight, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight';
import {
  type Icon,
  IconBook,
  IconKeyboard,
  IconLogout,
  IconPlus,
  IconSearch,
  IconUser,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { signOut } from '../session/session.ts';
import { useSession } from '../session/session-context.ts';
import { guideOf } from '../text/guides.ts';
import { type Command, runCommand } from '../ui/commands.ts';
import { isMatch } from './finder-match.ts';
import { synonyms } from './finder-synonyms.ts';
import { navigationOf } from './navigation.ts';
import { usePlace } from './place.ts';
import { useSearchHits } from './search-hits.ts';
import { openShortcuts } from './shortcuts.tsx';

/** Actions of a place, by the address of their screen. */
const commands: { label: string; screen: string; command: Command; keywords?: string[] }[] = [
  {
    label: 'Invite person',
    screen: '/people',
    command: 'invite-person',
    keywords: ['add member', 'new user'],
  },
  { label: 'New API key', screen: '/api-keys', command: 'new-key' },
  { label: 'New webhook endpoint', screen: '/webhooks', command: 'new-webhook' },
  { label: 'New policy', screen: '/policies', command: 'new-policy' },
  { label: 'New approval group', screen: '/groups', command: 'new-group' },
  { label: 'Request a mandate', screen: '/mandates', command: 'request-mandate' },
  { label: 'New center', screen: '/partner/centers', command: 'new-center' },
  { label: 'New center', screen: '/platform/centers', command: 'new-center' },
  { label: 'Record payment', screen: '/partner/payments', command: 'record-payment' },
  { label: 'New partner', screen: '/platform/partners', command: 'new-partner' },
];

const FOUND = 'found ';

/** Finds screens, data and actions by a few letters. */
export default function Finder({ onReady }: { onReady: (open: () => void) => void }) {
  const navigate = useNavigate();
  const session = useSession();
  const [query, setQuery] = useState('');
  const found = useSearchHits(query);
  // Loaded on first use.
  const ready = useEffectEvent(() => {
    onReady(spotlight.open);
    spotlight.open();
  });
  useEffect(() => ready(), []);
  const { me, centers } = session;
  const screens = navigationOf(session, usePlace()).flatMap(({ entries }) => entries);
  const own = { label: 'Your account', to: '/me', icon: IconUser };
  const icon = (Shown: Icon): ReactNode => <Shown size={18} stroke={1.6} />;
  const startable = commands.flatMap((each) => {
    const screen = screens.find(({ to }) => to.endsWith(each.screen));
    return screen ? [{ ...each, to: screen.to }] : [];
  });
  const groups: SpotlightActionGroupData[] = [
    ...[...Map.groupBy(found, ({ group }) => group)].map(([group, items]) => ({
      group,
      actions: items.map(({ id, label, description, to, search }) => ({
        id: `${FOUND}${group} ${id}`,
        label,
        description: description ?? undefined,
        onClick: () => void navigate({ to, search: (search ?? {}) as never }),
      })),
    })),
    {
      group: 'Go to',
      actions: [...screens, own].map(({ label, to, icon: screenIcon }) => ({
        id: to,
        label,
        keywords: synonyms[label] ?? [],
        leftSection: icon(screenIcon),
        onClick: () => void navigate({ to }),
      })),
    },
    {
      group: 'Actions',
      actions: [
        ...startable.map(({ label, to, command, keywords = [] }) => ({
          id: command,
          label,
          keywords,
          leftSection: icon(IconPlus),
          onClick: () => void navigate({ to }).then(() => runCommand(command)),
        })),
        {
          id: 'guide',
          label: 'Open the guide to this page',
          keywords: ['help', 'documentation'],
          leftSection: icon(IconBook),
          onClick: () => void window.open(guideOf(location.pathname), '_blank', 'noopener'),
        },
        {
          id: 'shortcuts',
          label: 'Keyboard shortcuts',
          keywords: ['keys', 'help'],
          leftSection: icon(IconKeyboard),
          onClick: openShortcuts,
        },
        {
          id: 'sign-out',
          label: 'Sign out',
          keywords: ['log out', 'logout', 'leave'],
          leftSection: icon(IconLogout),
          onClick: () => void signOut(),
        },
      ],
    },
    {
      group: 'Switch to center',
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
      query={query}
      onQueryChange={setQuery}
      filter={(words, all) => matching(words, all as SpotlightActionGroupData[])}
      attributes={{ content: { 'aria-label': 'Find' } }}
      shortcut="mod + K"
      nothingFound="No results"
      highlightQuery
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: 'Search decisions, people, keys, screens and actions',
        'aria-label': 'Find',
      }}
    />
  );
}

/** Keeps the results of the service and filters the other entries by the words. */
function matching(query: string, groups: SpotlightActionGroupData[]): SpotlightActionGroupData[] {
  return groups
    .map(({ group, actions }) => ({
      group,
      actions: actions.filter(({ id, label, description, keywords }) =>
        id?.startsWith(FOUND) ? query.trim() !== '' : isMatch(query, [label, description, keywords].flat()),
      ),
    }))
    .filter(({ actions }) => actions.length > 0);
}
