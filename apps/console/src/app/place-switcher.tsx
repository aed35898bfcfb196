import { Menu, ScrollArea } from '@mantine/core';
import { IconCheck, IconSelector } from '@tabler/icons-react';
import type { Session } from '../session/session.ts';
import { useSession } from '../session/session-context.ts';
import { verticalLabels } from '../text/labels.ts';
import { roleNames } from '../text/roles.ts';
import { Avatar } from '../ui/avatar.tsx';
import { type Place, usePlace } from './place.ts';
import classes from './place-switcher.module.css';

interface Choice {
  key: string;
  name: string;
  hint: string;
  href: string;
  current: boolean;
  /** The colors of its brand. */
  shades?: readonly string[] | null;
}

/** Every place that the person can enter. */
function choicesOf({ me, centers }: Session, place: Place): Choice[] {
  return [
    ...centers.map(({ id, name, centerDomain, vertical, brand }) => ({
      key: `center-${id}`,
      name,
      hint:
        place === 'center' && id === me.centerId
          ? roleNames(vertical).one(me.role)
          : verticalLabels[vertical]!,
      href: `/c/${centerDomain}`,
      current: place === 'center' && id === me.centerId,
      shades: brand?.shades ?? null,
    })),
    ...(me.partner
      ? [
          {
            key: 'partner',
            name: me.partner.name,
            hint: roleNames().one(me.partner.role),
            href: '/partner',
            current: place === 'partner',
          },
        ]
      : []),
    ...(me.platformAdmin
      ? [
          {
            key: 'platform',
            name: 'Installation',
            hint: 'Platform administrator',
            href: '/platform',
            current: place === 'platform',
          },
        ]
      : []),
  ];
}

/** Shows and switches the place. Switching reloads the page, so that no data of the previous place stay in memory. */
export function PlaceSwitcher() {
  const session = useSession();
  const choices = choicesOf(session, usePlace());
  const current = choices.find((choice) => choice.current);
  if (!current) return null;
  const face = (
    <>
      <Avatar name={current.name} size={34} square shades={current.shades} />
      <span className={classes.words}>
        <span className={classes.name}>{current.name}</span>
        <span className={classes.role}>{current.hint}</span>
      </span>
    </>
  );
  if (choices.length < 2) return <div className={classes.center}>{face}</div>;
  return (
    <Menu position="bottom-start" width={264}>
      <Menu.Target>
        <button type="button" className={classes.center} data-button>
          {face}
          <span className="visually-hidden">Go to another page</span>
          <IconSelector size={16} aria-hidden="true" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <ScrollArea.Autosize mah={360}>
          {choices.map(({ key, name, hint, href, current: here, shades }) => (
            <Menu.Item
              key={key}
              component="a"
              href={href}
              leftSection={<Avatar name={name} size={26} square shades={shades} />}
              rightSection={here && <IconCheck size={14} aria-label="open now" />}
            >
              {name}
              <span className={classes.vertical}>{hint}</span>
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
  );
}
