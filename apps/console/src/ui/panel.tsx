import { Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './panel.module.css';

export interface PanelProps {
  title?: ReactNode;
  /** A line below the title. */
  hint?: ReactNode;
  actions?: ReactNode;
  /** Tables and lists reach to the edge. */
  flush?: boolean;
  tone?: 'bad' | 'warn';
  children: ReactNode;
}

export function Panel({ title, hint, actions, flush, tone, children }: PanelProps) {
  const id = useId();
  return (
    <section className={classes.panel} data-tone={tone} aria-labelledby={title ? id : undefined}>
      {title && (
        <header className={classes.head}>
          <div>
            <Title order={2} id={id} className={classes.title}>
              {title}
            </Title>
            {hint && <p className={classes.hint}>{hint}</p>}
          </div>
          {actions && <div className={classes.actions}>{actions}</div>}
        </header>
      )}
      <div className={flush ? classes.flush : classes.body}>{children}</div>
    </section>
  );
}
