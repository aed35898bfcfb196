import { Button } from '@mantine/core';
import { IconAlertTriangle, IconMap2 } from '@tabler/icons-react';
import type { ErrorComponentProps } from '@tanstack/react-router';
import type { Failure } from '../graphql/failure.ts';
import { Page } from '../ui/page.tsx';
import { Empty, Problem } from '../ui/states.tsx';

/** A screen that failed. The rest of the console keeps working. */
export function ErrorPage({ error: thrown, reset }: ErrorComponentProps) {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const failure = error.cause as Failure | undefined;
  if (failure?.code) return <Problem failure={failure} retry={() => location.reload()} />;
  return (
    <Page title="Something went wrong">
      <Empty
        icon={<IconAlertTriangle />}
        title="This page failed to load"
        action={
          <Button variant="default" onClick={() => (isOldPage(error) ? location.reload() : reset())}>
            Try again
          </Button>
        }
      >
        If this happens again, tell the operator of this service what you were doing.
      </Empty>
    </Page>
  );
}

/** After a new release the files of an open page no longer exist: it must be reloaded. */
const isOldPage = (error: Error) => /dynamically imported module|Failed to fetch/i.test(error.message);

export function NotFoundPage() {
  return (
    <Page title="Not found">
      <Empty
        icon={<IconMap2 />}
        title="Page not found"
        action={
          <Button component="a" variant="default" href="/">
            Go to the home page
          </Button>
        }
      >
        The link may be outdated or mistyped.
      </Empty>
    </Page>
  );
}
