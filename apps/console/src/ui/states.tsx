import { Button, Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconCloudOff, IconLock, IconMoodEmpty } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import {
  type Failure,
  failureMessage,
  isFeatureOff,
  isMissing,
  isNotAllowed,
  requiredProvider,
} from '../graphql/failure.ts';
import type { Read } from '../graphql/use-read.ts';
import { Page } from './page.tsx';
import classes from './states.module.css';

interface EmptyProps {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** Inside a panel that has a title. */
  small?: boolean;
}

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

interface ProblemProps {
  failure: Failure;
  retry?: () => void;
  small?: boolean;
}

/** Why something is not shown: the user may not see it, or it is missing, or it could not be loaded. */
export function Problem({ failure, retry, small = false }: ProblemProps) {
  if (isMissing(failure)) return <NotFound small={small} />;
  const provider = requiredProvider(failure);
  if (provider !== null) return <ProviderRequired provider={provider} small={small} />;
  if (isNotAllowed(failure) || isFeatureOff(failure)) {
    const title = isFeatureOff(failure) ? 'Not available in this center' : 'You do not have access';
    return (
      <Empty small={small} icon={<IconLock />} title={title}>
        {failureMessage(failure)}
      </Empty>
    );
  }
  const unreachable = failure.code === 'UNREACHABLE';
  return (
    <div role="alert">
      <Empty
        small={small}
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
        {failureMessage(failure)}
      </Empty>
    </div>
  );
}

/** The center began to require its provider while this session was open. */
function ProviderRequired({ provider, small }: { provider: string; small: boolean }) {
  const { pathname, search } = location;
  const center = /^\/c\/([a-z0-9-]+)/.exec(pathname)?.[1];
  const address = new URLSearchParams({ ...(center && { center }), next: pathname + search });
  return (
    <Empty
      small={small}
      icon={<IconLock />}
      title="Sign in with your company"
      action={
        center && (
          <Button component="a" href={`/auth/oidc/start?${address}`}>
            Continue with {provider}
          </Button>
        )
      }
    >
      This center requires signing in with {provider}.
    </Empty>
  );
}

const NotFound = ({ small = false }: { small?: boolean }) => (
  <Empty small={small} title="Page not found">
    It may have been removed, or it belongs to another center.
  </Empty>
);

/** The page of something that was not found. */
export const Missing = () => (
  <Page title="Not found">
    <NotFound />
  </Page>
);

/** Placeholder lines of a text. */
export function Lines({ count = 5 }: { count?: number }) {
  return (
    <div className={classes.lines} role="status" aria-label="Loading">
      {Array.from({ length: count }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are identical
        <Skeleton key={i} height={14} width={`${92 - ((i * 17) % 40)}%`} radius="sm" />
      ))}
    </div>
  );
}

/** A detail page: the way back, the title, a line below it, and panels. */
const PageSkeleton = (page: { title: string; children: ReactNode }) => (
  <Page
    back={<Skeleton height={14} my={4} width={90} radius="sm" />}
    intro={<Skeleton component="span" display="inline-block" height={12} width={240} radius="sm" />}
    {...page}
  />
);

interface LoadedProps<Data> {
  of: Read<Data>;
  skeleton?: ReactNode;
  /** The title of the page until its data arrive, if it is a whole page. */
  page?: string;
  small?: boolean;
  children: (data: Data) => ReactNode;
}

/** The data, its skeleton while it loads, or the error. Newer data replace older ones without a skeleton in between. */
export function Loaded<Data>({ of: read, skeleton, page, small, children }: LoadedProps<Data>) {
  const inPage = (content: ReactNode) => (page ? <Page title={page}>{content}</Page> : content);
  if (read.failure && (!read.data || isNotAllowed(read.failure) || isFeatureOff(read.failure))) {
    return inPage(<Problem failure={read.failure} retry={read.reload} small={small ?? false} />);
  }
  if (!read.data && page) return <PageSkeleton title={page}>{skeleton}</PageSkeleton>;
  if (!read.data) return skeleton ?? <Lines />;
  return children(read.data);
}
