import { Kbd, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Fragment, useEffect, useEffectEvent } from 'react';
import classes from './shortcuts.module.css';

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

const asked = new EventTarget();

export const openShortcuts = (): void => void asked.dispatchEvent(new Event('open'));

/** A key that types into a field, or belongs to an open dialog, is no shortcut. */
function isTyping({ target }: KeyboardEvent): boolean {
  const at = target instanceof Element ? target : null;
  return at?.closest('input, textarea, select, [contenteditable], [role="dialog"]') != null;
}

/** The list of keys, opened by one of them or by the menu of the person. */
export function Shortcuts() {
  const [opened, { open, close }] = useDisclosure();
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (key === '?' && !ctrlKey && !metaKey && !altKey && !isTyping(event)) open();
  });
  useEffect(() => {
    document.addEventListener('keydown', press);
    asked.addEventListener('open', open);
    return () => {
      document.removeEventListener('keydown', press);
      asked.removeEventListener('open', open);
    };
  }, [open]);
  return (
    <Modal opened={opened} onClose={close} title="Keyboard shortcuts">
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
