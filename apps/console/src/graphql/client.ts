import { Client, cacheExchange, fetchExchange, mapExchange } from 'urql';
import { refetchAfterPaint } from './refetch-after-paint.ts';
import { sessionFetch } from './session-fetch.ts';

/** The service answers plain JSON faster; only subscriptions are streams. */
const accepts = (kind: string) => (kind === 'subscription' ? 'text/event-stream' : 'application/json');

const acceptHeaderExchange = mapExchange({
  onOperation: (operation) => ({
    ...operation,
    context: {
      ...operation.context,
      fetchOptions: {
        ...operation.context.fetchOptions,
        headers: { accept: accepts(operation.kind) },
        credentials: 'same-origin',
      },
    },
  }),
});

export function makeClient(): Client {
  return new Client({
    url: '/graphql',
    preferGetMethod: false,
    fetchSubscriptions: true,
    fetch: sessionFetch as typeof fetch,
    requestPolicy: 'cache-and-network',
    exchanges: [cacheExchange, refetchAfterPaint, acceptHeaderExchange, fetchExchange],
  });
}
