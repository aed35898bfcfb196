import { Title } from '@mantine/core';
import { IconHelpCircle } from '@tabler/icons-react';
import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { guideOf } from '../text/guides.ts';
import { zoneLabel } from '../text/schedule.ts';
import { SERVICE_NAME, useBrand } from './brand-store.ts';
import classes from './page.module.css';
import { useScreenZone } from './zone.tsx';

interface PageProps {
  title: string;
  /** One line about the purpose of the page. */
  intro?: ReactNode;
  /** A link to the list that the page belongs to. */
  back?: ReactNode;
  badge?: ReactNode;
  actions?: ReactNode;
  /** Panels of forms: the title of each is to the left of its fields. */
  forms?: boolean;
  /** The zone of its times, if it is not the one of the place. */
  zone?: string | undefined;
  children: ReactNode;
}

export function Page({ title, intro, back, badge, actions, forms, zone, children }: PageProps) {
  useTitle(title);
  const { shown, wrap } = useScreenZone(zone);
  return wrap(
    <div className={classes.page} data-forms={forms || undefined}>
      {back && <div className={classes.back}>{back}</div>}
      <header className={classes.head}>
        <div className={classes.words}>
          <div className={classes.title}>
            <Title order={1}>{title}</Title>
            {badge}
            <Help />
          </div>
          {(intro || shown) && (
            <p className={classes.intro}>
              {intro}
              {shown && <span className={classes.zone}> Times in {zoneLabel(shown)}.</span>}
            </p>
          )}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </div>,
  );
}

/** A link to the section of the guides about the screen. */
function Help() {
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <a
      className={classes.help}
      href={guideOf(pathname)}
      target="_blank"
      rel="noopener"
      aria-label="Guide to this page"
      title="Guide to this page"
    >
      {questionMark}
    </a>
  );
}

const questionMark = <IconHelpCircle size={18} stroke={1.6} aria-hidden="true" />;

export function useTitle(title: string): void {
  const place = useBrand()?.name ?? SERVICE_NAME;
  useEffect(() => {
    document.title = `${title} · ${place}`;
  }, [title, place]);
}
