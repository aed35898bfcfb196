import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';

const ShortcutList = lazy(() => import('./shortcut-list.tsx'));

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
  const [wasOpened, setWasOpened] = useState(false);
  if (opened && !wasOpened) setWasOpened(true);
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
  if (!wasOpened) return null;
  return (
    <Suspense fallback={null}>
      <ShortcutList opened={opened} onClose={close} />
    </Suspense>
  );
}
