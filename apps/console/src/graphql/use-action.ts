import { notifications } from '@mantine/notifications';
import type { TadaDocumentNode } from 'gql.tada';
import { useCallback, useState } from 'react';
import { type AnyVariables, useClient } from 'urql';
import { type Failure, failureMessage, failureOf } from './failure.ts';

interface ActionOptions {
  /** The toast after success; omit it if the screen shows the result anyway. */
  done?: string;
  /** No toast on failure: the caller shows it next to the form. */
  quiet?: boolean;
  /** The title of the toast on failure. */
  failureTitle?: string;
  /** For an action that only reads. */
  as?: 'mutation' | 'query';
}

interface Action<Data, Variables> {
  run(variables: Variables): Promise<Data | null>;
  busy: boolean;
  failure: Failure | undefined;
  clear(): void;
}

/** A mutation, or a query on demand, with its state and a toast. `run` resolves to the data, or null on failure. */
export function useAction<Data, Variables extends AnyVariables>(
  document: TadaDocumentNode<Data, Variables>,
  { done, quiet, failureTitle = 'That did not work', as = 'mutation' }: ActionOptions = {},
): Action<Data, Variables> {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const run = useCallback(
    async (variables: Variables) => {
      setBusy(true);
      setFailure(undefined);
      const { data, error } = await client[as](document, variables, {
        requestPolicy: 'network-only',
      }).toPromise();
      setBusy(false);
      const failed = failureOf(error);
      setFailure(failed);
      if (failed && !quiet)
        notifications.show({
          color: 'red',
          title: failureTitle,
          message: failureMessage(failed),
          // One toast, however many actions fail for this cause.
          ...(failed.code === 'UNREACHABLE' && { id: 'unreachable' }),
        });
      if (!failed && done) notifications.show({ color: 'green', message: done });
      return failed ? null : (data ?? null);
    },
    [client, document, done, quiet, failureTitle, as],
  );
  return { run, busy, failure, clear: useCallback(() => setFailure(undefined), []) };
}
