import { type ExecutionResult, locatedError } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import { authenticate } from '../api/open-request.ts';
import type { RequestContext } from '../api/request-context.ts';
import { PRINCIPALS_TOPIC } from '../domain/identity/principal-cache.ts';
import { serialized } from './serialized-result.ts';

/** The context of an operation and the credential it came with. */
type Subscriber = RequestContext & { token: string | null };

/** Whether the credential still identifies the same caller as at the start. If in doubt, no. */
async function isUnchanged({ app, principal, token }: Subscriber): Promise<boolean> {
  if (principal.kind === 'anonymous') return true;
  const now = await authenticate(app, token ?? '', new Date()).catch(() => null);
  return JSON.stringify(now) === JSON.stringify(principal);
}

/**
 * Passes events on while the subscriber's identity is unchanged. It checks again before each event, and whenever permissions
 * change, so that an idle subscription ends too.
 */
function whileUnchanged(
  events: AsyncIterable<ExecutionResult>,
  subscriber: Subscriber,
): AsyncIterableIterator<ExecutionResult> {
  const source = events[Symbol.asyncIterator]();
  const end = async (): Promise<IteratorResult<ExecutionResult>> => {
    stopWatching();
    await source.return?.();
    return { done: true, value: undefined };
  };
  const stopWatching = subscriber.app.bus.on(PRINCIPALS_TOPIC, () => {
    void isUnchanged(subscriber).then((unchanged) => (unchanged ? undefined : end()));
  });
  return {
    async next() {
      // The previous event has been sent.
      subscriber.content?.restart();
      const result = await source.next();
      if (result.done || !(await isUnchanged(subscriber))) return end();
      // Masked afterwards, like errors of fields.
      const value = await serialized(subscriber, result.value, (error) => locatedError(error, undefined));
      return { done: false, value };
    },
    return: end,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** A subscription outlives the request that opened it, but not the permission it was opened with. */
export const endWithPermission: Plugin = {
  onSubscribe({ subscribeFn, setSubscribeFn }) {
    setSubscribeFn(async (args) => {
      const result = await subscribeFn(args);
      return isAsyncIterable(result)
        ? whileUnchanged(result as AsyncIterable<ExecutionResult>, args.contextValue as Subscriber)
        : result;
    });
  },
};
