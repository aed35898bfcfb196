import { CountersignError } from '../error.ts';
import { wait } from '../http.ts';
import type { WebhookMessage } from '../webhooks.ts';
import { type Connection, type PersonSession, pagesOf } from './session.ts';

export type PlatformEvent = Omit<WebhookMessage<unknown>, 'deliveryAttempt'>;

/** Whether a pattern of event types covers a type: `*`, `payment.*`, or the type itself. */
export const coversType = (pattern: string, type: string): boolean =>
  pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)));

const RECONNECT = 1_000;
const PAGE = 100;

/**
 * The events of the center in order and without gaps, starting after `since`. The stream only signals new events, which are
 * then read from the API. Without `since` it starts with future events.
 */
export async function* events(
  session: PersonSession,
  since: string | null,
  signal: AbortSignal,
  onListening: () => void = () => {},
): AsyncGenerator<PlatformEvent> {
  let last = since ?? (await newestId(session));
  onListening();
  for (;;) {
    for await (const _ of hints(session, signal)) {
      for (const event of await after(session, last)) {
        yield event;
        last = event.id;
      }
    }
    await wait(RECONNECT, signal);
  }
}

const READ = `query ($first: Int!, $after: String) {
  events(first: $first, after: $after) {
    edges { node { id type createdAt data } } pageInfo { hasNextPage endCursor }
  }
}`;

async function newestId({ query }: PersonSession): Promise<string | null> {
  const { events: page } = await query<{ events: Connection<PlatformEvent> }>(READ, { first: 1 });
  return page.edges[0]?.node.id ?? null;
}

/** The list is newest first: read back to the last event seen, then reverse. */
async function after({ query }: PersonSession, last: string | null): Promise<PlatformEvent[]> {
  const found: PlatformEvent[] = [];
  for await (const event of pagesOf<PlatformEvent>(query, READ, 'events', { first: PAGE })) {
    if (event.id === last) break;
    found.push(event);
  }
  return found.reverse();
}

/** One signal when the stream opens, so that nothing is missed before, and one per message; ends when the stream breaks. */
async function* hints(session: PersonSession, signal: AbortSignal): AsyncGenerator<void> {
  try {
    const response = await fetch(`${session.baseUrl}/graphql`, {
      method: 'POST',
      headers: {
        accept: 'text/event-stream',
        'content-type': 'application/json',
        authorization: `Bearer ${await session.accessToken()}`,
      },
      body: JSON.stringify({ query: 'subscription { events { id } }' }),
      signal,
    });
    if (response.status === 401 || response.status === 403) {
      throw new CountersignError({
        code: 'UNAUTHORIZED',
        status: response.status,
        message: 'Events are for administrators of a center: sign in as one.',
      });
    }
    yield;
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      if (decoder.decode(chunk, { stream: true }).includes('event: next')) yield;
    }
  } catch (error) {
    if (signal.aborted || error instanceof CountersignError) throw error;
  }
}
