import type { CardPoint } from '@countersign/proof-kit/decision-card';
import { IconCheck, IconClock, IconMinus, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ExactTime } from '../time.tsx';
import classes from './points.module.css';
import { Words } from './words.tsx';

const icons = {
  met: <IconCheck size={14} />,
  unmet: <IconX size={14} />,
  open: <IconClock size={14} />,
  note: <IconMinus size={14} />,
};
const states = { met: 'Met', unmet: 'Not met', open: 'Open', note: 'Note' };

/** Requirements, approvals and results, each with a mark that says how it stands. */
export const PointList = ({ children }: { children: ReactNode }) => (
  <ul className={classes.points}>{children}</ul>
);

export const Point = ({ state, children }: { state: CardPoint['state']; children: ReactNode }) => (
  <li data-state={state}>
    <span className={classes.icon} aria-hidden="true">
      {icons[state]}
    </span>
    <div className={classes.words}>{children}</div>
  </li>
);

/** The points of a section of a decision card. */
export const Points = ({ of: points }: { of: readonly CardPoint[] }) => (
  <PointList>
    {points.map(({ state, title, words, at, quote }, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two points may have the same words
      <Point key={place} state={state}>
        {title && (
          <strong>
            {title}
            <span className="visually-hidden">: {states[state]}</span>
          </strong>
        )}
        <span data-detail={title ? true : undefined}>
          <Words of={words} />
        </span>
        {at && (
          <span className={classes.at}>
            <ExactTime at={at} />
          </span>
        )}
        {quote && <blockquote dir="auto">{quote}</blockquote>}
      </Point>
    ))}
  </PointList>
);
