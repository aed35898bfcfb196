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
}

interface Action<Data, Variables> {
  run(variables: Variables): Promise<Data | null>;
  busy: boolean;
  failure: Failure | undefined;
  clear(): void;
}

/** A mutation with its busy state, its error and a toast. `run` resolves to the data, or null on failure. */
export function useAction<Data, Variables extends AnyVariables>(
  mutation: TadaDocumentNode<Data, Variables>,
  { done, quiet }: ActionOptions = {},
): Action<Data, Variables> {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const run = useCallback(
    async (variables: Variables) => {
      setBusy(true);
      setFailure(undefined);
      const { data, error } = await client.mutation(mutation, variables).toPromise();
      setBusy(false);
      const failed = failureOf(error);
      setFailure(failed);
      if (failed && !quiet)
        notifications.show({ color: 'red', title: 'That did not work', message: failureMessage(failed) });
      if (!failed && done) notifications.show({ color: 'green', message: done });
      return failed ? null : (data ?? null);
    },
    [client, mutation, done, quiet],
  );
  return { run, busy, failure, clear: useCallback(() => setFailure(undefined), []) };
}
