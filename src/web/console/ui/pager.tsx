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
  onNext: (cursor: string) => void;
  onPrevious: (cursor: string) => void;
}

export function Pager({ info, words, onNext, onPrevious }: PagerProps) {
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
            Newer
          </Button>
          <Button
            size="xs"
            variant="default"
            rightSection={<IconChevronRight size={14} />}
            disabled={!info.hasNextPage}
            onClick={() => info.endCursor && onNext(info.endCursor)}
          >
            Older
          </Button>
        </Group>
      )}
    </nav>
  );
}
