import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { afterPaint } from '../browser/after-paint.ts';
import type { Place } from '../graphql/use-pages.ts';
import classes from './pager.module.css';

export interface PageInfo {
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  startCursor: string | null;
  endCursor: string | null;
}

interface PagerProps {
  info: PageInfo;
  /** The total, as text. */
  words?: string;
  /** Labels of the two buttons. The default suits lists by time, newest first. */
  ways?: [back: string, forth: string];
  onPage: (place: Place) => void;
  /** Other actions on the list. */
  more?: ReactNode;
  /** The user is about to go there. */
  onIntent?: (place: Place) => void;
}

// Created once, so that they are not rendered again.
const backwards = <IconChevronLeft size={14} aria-hidden="true" />;
const forwards = <IconChevronRight size={14} aria-hidden="true" />;

export function Pager({
  info,
  words,
  ways: [back, forth] = ['Newer', 'Older'],
  onPage,
  onIntent,
  more,
}: PagerProps) {
  const forthButton = useRef<HTMLButtonElement>(null);
  const newer: Place | null = info.hasPreviousPage ? { before: info.startCursor ?? undefined } : null;
  const older: Place | null = info.hasNextPage ? { after: info.endCursor ?? undefined } : null;
  const prepareOlder = useEffectEvent((shown: string | null) => {
    if (older && shown === info.endCursor && forthButton.current?.matches(':hover, :focus'))
      onIntent?.(older);
  });
  // A user who has turned a page is likely to turn the next.
  const { endCursor } = info;
  useEffect(() => void afterPaint().then(() => prepareOlder(endCursor)), [endCursor]);
  if (!words && !newer && !older && !more) return null;
  const to = (place: Place | null) => ({
    disabled: !place,
    onClick: () => place && onPage({ before: undefined, after: undefined, ...place }),
    onPointerEnter: () => place && onIntent?.(place),
    onFocus: () => place && onIntent?.(place),
  });
  return (
    <nav className={classes.pager} aria-label="Pages">
      <span className={classes.words}>
        {words && <span>{words}</span>}
        {more}
      </span>
      {(newer || older) && (
        <span className={classes.ways}>
          <button type="button" className={classes.way} {...to(newer)}>
            {backwards}
            {back}
          </button>
          <button type="button" className={classes.way} ref={forthButton} {...to(older)}>
            {forth}
            {forwards}
          </button>
        </span>
      )}
    </nav>
  );
}
