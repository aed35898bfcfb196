import { Kbd, Modal } from '@mantine/core';
import { Fragment } from 'react';
import classes from './shortcut-list.module.css';

const MODIFIER = /mac/i.test(navigator.userAgent) ? '⌘' : 'Ctrl';

/** All keys of the console: docs/console.md has the same list. */
const groups: { title: string; keys: [keys: string[], does: string][] }[] = [
  {
    title: 'Everywhere',
    keys: [
      [[MODIFIER, 'K'], 'Find decisions, people, centers, keys, screens and actions'],
      [['?'], 'Show this list'],
      [['Esc'], 'Close a dialog'],
    ],
  },
  {
    title: 'Approvals',
    keys: [
      [['j'], 'Next request'],
      [['k'], 'Previous request'],
      [['x'], 'Select the request'],
      [['a'], 'Approve'],
      [['r'], 'Go to the reason, which is required to reject'],
      [['Esc'], 'Close the request'],
    ],
  },
];

export default function ShortcutList({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts">
      {groups.map(({ title, keys }) => (
        <section key={title} className={classes.group} aria-label={title}>
          <h3 className={classes.title}>{title}</h3>
          <dl className={classes.keys}>
            {keys.map(([pressed, does]) => (
              <Fragment key={does}>
                <dt>
                  {pressed.map((key) => (
                    <Kbd key={key}>{key}</Kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </Fragment>
            ))}
          </dl>
        </section>
      ))}
    </Modal>
  );
}
