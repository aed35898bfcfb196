import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { signOut } from '../../session/session.ts';
import { Brand } from '../../ui/brand.tsx';
import { SERVICE_NAME } from '../../ui/brand-store.ts';
import { useTitle } from '../../ui/page.tsx';
import classes from './entry-frame.module.css';
import { centerOfEntry, useEntryBrand } from './use-entry-brand.ts';

interface EntryFrameProps {
  title: string;
  intro?: ReactNode;
  wide?: boolean;
  /** The center whose brand the page shows. */
  center?: string | undefined;
  /** Below the card. */
  foot?: ReactNode;
  children: ReactNode;
}

/** The frame of the pages before sign-in and while waiting. */
export function EntryFrame({ title, intro, wide, center, foot, children }: EntryFrameProps) {
  const brand = useEntryBrand(center ?? centerOfEntry());
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
        {brand?.tagline && <p className={classes.tagline}>{brand.tagline}</p>}
        {intro && <p className={classes.intro}>{intro}</p>}
        {children}
      </main>
      {(foot || brand?.name) && (
        <footer className={classes.foot}>
          {foot}
          {brand?.name && (
            <p className={classes.service}>
              {SERVICE_NAME} runs this service for {brand.name}.
            </p>
          )}
        </footer>
      )}
    </div>
  );
}

/** For pages of people who are signed in and have no other way out. */
export const SignOutButton = () => (
  <button type="button" className={classes.leave} onClick={() => void signOut()}>
    Sign out
  </button>
);
