import { ActionIcon, Burger, Drawer, Kbd } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { Brand } from '../ui/brand.tsx';
import { LazyFinder, openFinder } from './lazy-finder.tsx';
import { PersonMenu } from './person-menu.tsx';
import classes from './shell.module.css';
import { Shortcuts } from './shortcuts.tsx';

interface ShellProps {
  /** The switcher between centers, partner and platform. */
  place: ReactNode;
  navigation: (close: () => void) => ReactNode;
  children: ReactNode;
}

/** The frame around every screen: navigation to the left, in a drawer on phones. */
export function Shell({ place, navigation, children }: ShellProps) {
  const [opened, { open, close }] = useDisclosure();
  useEffect(() => {
    const wide = matchMedia('(min-width: 62em)');
    wide.addEventListener('change', close);
    return () => wide.removeEventListener('change', close);
  }, [close]);

  const main = useRef<HTMLElement>(null);
  useFocusOnArrival(main);

  const side = (
    <div className={classes.side}>
      <div className={classes.brandRow}>
        <Brand />
      </div>
      {place}
      <button type="button" className={classes.find} onClick={openFinder}>
        <IconSearch size={15} aria-hidden="true" />
        <span>Find</span>
        <Kbd size="xs">{/mac/i.test(navigator.userAgent) ? '⌘' : 'Ctrl'} K</Kbd>
      </button>
      <nav className={classes.nav} aria-label="Main">
        {navigation(close)}
      </nav>
      <PersonMenu />
    </div>
  );

  return (
    <div className={classes.shell}>
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <aside className={classes.aside} aria-label="Navigation">
        {side}
      </aside>
      <Drawer
        opened={opened}
        onClose={close}
        size={288}
        padding={0}
        withCloseButton={false}
        title="Navigation"
        classNames={{ body: classes.drawerBody!, header: 'visually-hidden' }}
      >
        {side}
      </Drawer>
      <header className={classes.top}>
        <Burger opened={opened} onClick={open} size="sm" aria-label="Open navigation" />
        <Brand />
        <ActionIcon variant="subtle" color="gray" size="lg" onClick={openFinder} aria-label="Find">
          <IconSearch size={18} />
        </ActionIcon>
      </header>
      <main ref={main} id="content" className={classes.main} tabIndex={-1}>
        {children}
      </main>
      <LazyFinder />
      <Shortcuts />
    </div>
  );
}

/**
 * Moves the focus to the content after navigation, so that keyboard users do not pass the menu again. A field with autofocus or a
 * dialog keeps the focus.
 */
function useFocusOnArrival(main: RefObject<HTMLElement | null>): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
        const { activeElement } = document;
        const taken = main.current?.contains(activeElement) || activeElement?.closest('[role="dialog"]');
        if (fromLocation && pathChanged && !taken) main.current?.focus({ preventScroll: true });
      }),
    [router, main],
  );
}
