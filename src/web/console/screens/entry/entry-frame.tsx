import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Brand } from '../../ui/brand.tsx';
import { useTitle } from '../../ui/page.tsx';
import classes from './entry-frame.module.css';

interface EntryFrameProps {
  title: string;
  intro?: ReactNode;
  wide?: boolean;
  /** Below the card. */
  foot?: ReactNode;
  children: ReactNode;
}

/** The frame of everything before the console itself: signing in, waiting, beginning. */
export function EntryFrame({ title, intro, wide, foot, children }: EntryFrameProps) {
  useTitle(title);
  return (
    <div className={classes.ground}>
      <header className={classes.top}>
        <Brand />
      </header>
      <main id="content" className={classes.card} data-wide={wide || undefined}>
        <Title order={1} className={classes.title}>
          {title}
        </Title>
        {intro && <p className={classes.intro}>{intro}</p>}
        {children}
      </main>
      {foot && <footer className={classes.foot}>{foot}</footer>}
    </div>
  );
}
