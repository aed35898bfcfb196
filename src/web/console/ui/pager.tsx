import { Button, Group } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import classes from './pager.module.css';

interface PagerProps {
  info: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
  /** How many there are, in words. */
  words?: string;
  /** What the two ways are called: of lists by time, newest first, unless said otherwise. */
  ways?: [back: string, forth: string];
  onNext: (cursor: string) => void;
  onPrevious: (cursor: string) => void;
}

export function Pager({
  info,
  words,
  ways: [back, forth] = ['Newer', 'Older'],
  onNext,
  onPrevious,
}: PagerProps) {
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
            onClick={() => info.startCursor && onPrevious(info.startCursor)}
          >
            {back}
          </Button>
          <Button
            size="xs"
            variant="default"
            rightSection={<IconChevronRight size={14} />}
            disabled={!info.hasNextPage}
            onClick={() => info.endCursor && onNext(info.endCursor)}
          >
            {forth}
          </Button>
        </Group>
      )}
    </nav>
  );
}
