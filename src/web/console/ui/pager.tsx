import { Button, Group } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { Place } from '../graphql/page-of.ts';
import classes from './pager.module.css';

export interface PageInfo {
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  startCursor: string | null;
  endCursor: string | null;
}

interface PagerProps {
  info: PageInfo;
  /** How many there are, in words. */
  words?: string;
  /** What the two ways are called: of lists by time, newest first, unless said otherwise. */
  ways?: [back: string, forth: string];
  onPage: (place: Place) => void;
}

export function Pager({ info, words, ways: [back, forth] = ['Newer', 'Older'], onPage }: PagerProps) {
  if (!words && !info.hasNextPage && !info.hasPreviousPage) return null;
  return (
    <nav className={classes.pager} aria-label="Pages">
      <span>{words}</span>
      {(info.hasNextPage || info.hasPreviousPage) && (
        <Group gap={8}>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconChevronLeft size={14} />}
            disabled={!info.hasPreviousPage}
            onClick={() => info.startCursor && onPage({ before: info.startCursor, after: undefined })}
          >
            {back}
          </Button>
          <Button
            size="xs"
            variant="default"
            rightSection={<IconChevronRight size={14} />}
            disabled={!info.hasNextPage}
            onClick={() => info.endCursor && onPage({ after: info.endCursor, before: undefined })}
          >
            {forth}
          </Button>
        </Group>
      )}
    </nav>
  );
}
