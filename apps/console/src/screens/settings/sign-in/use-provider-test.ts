import { useEffect, useState } from 'react';
import type { Failure } from '../../../graphql/failure.ts';
import { graphql, type ResultOf } from '../../../graphql/graphql.ts';
import { useAction } from '../../../graphql/use-action.ts';
import { useRead } from '../../../graphql/use-read.ts';
import type { ProviderInput } from './provider.ts';

const StartTest = graphql(`
  mutation StartProviderTest($input: IdentityProviderInput!) { testIdentityProvider(input: $input) { id url } }
`);
const TestResult = graphql(`
  query ProviderTestResult($id: ID!) {
    identityProviderTest(id: $id) { status code reason claims role person { name action } }
  }
`);

export type TestResult = ResultOf<typeof TestResult>['identityProviderTest'];

const POLL_MS = 1_500;

interface ShownTest {
  /** Undefined until it is read. */
  result: TestResult | undefined;
  failure: Failure | undefined;
}

/** The state of a test, polled until the person has signed in at the provider. Without an id, there is none. */
export function useTestResult(id: string | null): ShownTest {
  const { data, failure, reload } = useRead(TestResult, { id: id ?? '' }, { pause: id === null });
  const result = id === null ? undefined : data?.identityProviderTest;
  const isOpen = id !== null && !failure && (!result || result.status === 'WAITING');
  useEffect(() => {
    if (!isOpen) return undefined;
    const timer = setInterval(reload, POLL_MS);
    return () => clearInterval(timer);
  }, [isOpen, reload]);
  return { result, failure: id === null ? undefined : failure };
}

/** Starts a sign-in in another tab that creates nothing, and follows it. */
export function useProviderTest(onSuccess: () => void) {
  const start = useAction(StartTest, { quiet: true });
  const [test, setTest] = useState<{ id: string; url: string; isBlocked: boolean } | null>(null);
  const { result, failure } = useTestResult(test?.id ?? null);
  const hasSucceeded = result?.status === 'SUCCEEDED';
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each test
  useEffect(() => {
    if (hasSucceeded) onSuccess();
  }, [hasSucceeded]);
  const begin = async (input: ProviderInput) => {
    setTest(null);
    const data = await start.run({ input });
    if (!data) return;
    const { id, url } = data.testIdentityProvider;
    const tab = window.open(url, '_blank');
    // The provider's page must not reach the console.
    if (tab) tab.opener = null;
    setTest({ id, url, isBlocked: tab === null });
  };
  return { begin, busy: start.busy, startFailure: start.failure, test, result, failure };
}
