import { Menu, ScrollArea } from '@mantine/core';
import { IconCheck, IconSelector } from '@tabler/icons-react';
import { Face } from '../ui/face.tsx';
import { roleWords, verticalWords } from '../words/labels.ts';
import classes from './center-switcher.module.css';
import { useCenter, useSession } from './session-context.ts';

/** The center one is in, and the way into the others. A whole new page: nothing of the one before stays in memory. */
export function CenterSwitcher() {
  const { me, centers } = useSession();
  const current = useCenter();
  const face = (
    <>
      <Face name={current.name} size={34} square />
      <span className={classes.words}>
        <span className={classes.name}>{current.name}</span>
        <span className={classes.role}>{roleWords[me.role]}</span>
      </span>
    </>
  );
  if (centers.length < 2) return <div className={classes.center}>{face}</div>;
  return (
    <Menu position="bottom-start" width={264}>
      <Menu.Target>
        <button type="button" className={classes.center} data-button>
          {face}
          <span className="visually-hidden">Change the center</span>
          <IconSelector size={16} aria-hidden="true" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Your centers</Menu.Label>
        <ScrollArea.Autosize mah={320}>
          {centers.map(({ id, name, centerDomain, vertical }) => (
            <Menu.Item
              key={id}
              component="a"
              href={`/c/${centerDomain}`}
              leftSection={<Face name={name} size={26} square />}
              rightSection={id === current.id && <IconCheck size={14} aria-label="open now" />}
            >
              {name}
              <span className={classes.vertical}>{verticalWords[vertical]}</span>
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
  );
}
