import { Button, Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconCloudOff, IconLock, IconMoodEmpty } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type Failure, inWords, isFeatureOff, isMissing, isNotAllowed } from '../graphql/failure.ts';
import type { Read } from '../graphql/use-read.ts';
import { Page } from './page.tsx';
import classes from './states.module.css';

interface EmptyProps {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** Inside a panel that says what it is about. */
  small?: boolean;
}

/** Nothing here, and what to do about it. */
export function Empty({ icon, title, children, action, small }: EmptyProps) {
  return (
    <div className={classes.state} data-small={small || undefined}>
      <div className={classes.icon} aria-hidden="true">
        {icon ?? <IconMoodEmpty />}
      </div>
      <p className={classes.title}>{title}</p>
      {children && <div className={classes.text}>{children}</div>}
      {action}
    </div>
  );
}

export function Problem({
  failure,
  retry,
  small,
}: {
  failure: Failure;
  retry?: () => void;
  small?: boolean;
}) {
  if (isNotAllowed(failure)) {
    return (
      <Empty small={small ?? false} icon={<IconLock />} title="You do not have access">
        {inWords(failure)}
      </Empty>
    );
  }
  if (isFeatureOff(failure)) {
    return (
      <Empty small={small ?? false} icon={<IconLock />} title="Not available in this center">
        {inWords(failure)}
      </Empty>
    );
  }
  if (isMissing(failure)) {
    return (
      <Empty small={small ?? false} icon={<IconMoodEmpty />} title="Page not found">
        It may have been removed, or it belongs to another center.
      </Empty>
    );
  }
  const unreachable = failure.code === 'UNREACHABLE';
  return (
    <div role="alert">
      <Empty
        small={small ?? false}
        icon={unreachable ? <IconCloudOff /> : <IconAlertTriangle />}
        title={unreachable ? 'No connection' : 'This could not be loaded'}
        action={
          retry && (
            <Button variant="default" onClick={retry}>
              Try again
            </Button>
          )
        }
      >
        {inWords(failure)}
      </Empty>
    </div>
  );
}

/** A page whose subject is not there. */
export function Missing() {
  return (
    <Page title="Not here">
      <Empty icon={<IconMoodEmpty />} title="Page not found">
        It may have been removed, or it belongs to another center.
      </Empty>
    </Page>
  );
}

/** Grey lines where a list or a text will be. */
export function Lines({ count = 5 }: { count?: number }) {
  return (
    <div className={classes.lines} role="status" aria-label="Loading">
      {Array.from({ length: count }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Skeleton key={i} height={14} width={`${92 - ((i * 17) % 40)}%`} radius="sm" />
      ))}
    </div>
  );
}

interface LoadedProps<Data> {
  of: Read<Data>;
  /** What to show before there is anything. */
  skeleton?: ReactNode;
  /** It is the whole page, so it has its own heading. */
  page?: string;
  small?: boolean;
  children: (data: Data) => ReactNode;
}

/** What was read, or why it is not here yet. Newer data replaces older without a blink. */
export function Loaded<Data>({ of: read, skeleton, page, small, children }: LoadedProps<Data>) {
  const inPage = (content: ReactNode) => (page ? <Page title={page}>{content}</Page> : content);
  if (read.failure && (!read.data || isNotAllowed(read.failure) || isFeatureOff(read.failure))) {
    return inPage(<Problem failure={read.failure} retry={read.reload} small={small ?? false} />);
  }
  if (!read.data) return inPage(skeleton ?? <Lines />);
  return children(read.data);
}
