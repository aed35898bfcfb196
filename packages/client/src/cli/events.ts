import { CountersignError } from '../error.ts';
import { wait } from '../http.ts';
import type { PersonSession } from './session.ts';

export interface PlatformEvent {
  id: string;
  type: string;
  createdAt: string;
  data: unknown;
}

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

interface Page {
  events: { edges: { node: PlatformEvent }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
}

const READ = `query ($first: Int!, $after: String) {
  events(first: $first, after: $after) {
    edges { node { id type createdAt data } } pageInfo { hasNextPage endCursor }
  }
}`;

async function newestId({ query }: PersonSession): Promise<string | null> {
  const { events: page } = await query<Page>(READ, { first: 1 });
  return page.edges[0]?.node.id ?? null;
}

/** The list is newest first: read back to the last event seen, then reverse. */
async function after({ query }: PersonSession, last: string | null): Promise<PlatformEvent[]> {
  const found: PlatformEvent[] = [];
  for (let cursor: string | null = null; ; ) {
    const { events: page }: Page = await query<Page>(READ, { first: PAGE, after: cursor });
    for (const { node } of page.edges) {
      if (node.id === last) return found.reverse();
      found.push(node);
    }
    if (!page.pageInfo.hasNextPage) return found.reverse();
    cursor = page.pageInfo.endCursor;
  }
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
