import type { ReactNode } from 'react';
import type { Tone } from '../text/labels.ts';
import classes from './pill.module.css';

/** A status label. The word carries the meaning; the color only helps to find it. */
export function Pill({
  tone = 'quiet',
  icon,
  children,
}: {
  tone?: Tone;
  icon?: ReactNode;
  children: ReactNode;
}) {
  return (
    <span className={classes.pill} data-tone={tone}>
      {icon ?? <span className={classes.dot} aria-hidden="true" />}
      {children}
    </span>
  );
}
