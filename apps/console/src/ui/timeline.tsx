import type { ReactNode } from 'react';
import { ExactTime } from './time.tsx';
import classes from './timeline.module.css';

/** Something that happened, or is still open. */
export interface Moment {
  key: string | number;
  tone: 'done' | 'good' | 'bad' | 'open';
  icon: ReactNode;
  title: ReactNode;
  at: string | null;
  text?: ReactNode;
}

/** Moments from the first to the last. */
export function Timeline({ of: moments }: { of: readonly Moment[] }) {
  return (
    <ol className={classes.timeline}>
      {moments.map(({ key, tone, icon, title, at, text }) => (
        <li key={key} className={classes.step} data-tone={tone}>
          <span className={classes.icon} aria-hidden="true">
            {icon}
          </span>
          <div>
            <p className={classes.title}>{title}</p>
            {at && (
              <p className={classes.at}>
                <ExactTime at={at} />
              </p>
            )}
            {text && <div className={classes.text}>{text}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}
