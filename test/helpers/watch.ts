import { expect, onTestFinished } from 'vitest';
import type { Parsed, TestClient } from './client.ts';
import { eventually } from './eventually.ts';

/** Reads a subscription over server-sent events, one result at a time. */
export async function watch({ fetch }: Pick<TestClient, 'fetch'>, query: string, token: string) {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ query }),
  });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  onTestFinished(() => reader.cancel().catch(() => {}));
  let buffered = '';
  return async function next() {
    for (;;) {
      const found = /event: next\ndata: (.*)\n\n/.exec(buffered);
      if (found) {
        buffered = buffered.slice(found.index + found[0].length);
        return JSON.parse(found[1]!);
      }
      const { done, value } = await reader.read();
      if (done) throw new Error(`the stream ended: ${buffered}`);
      buffered += value;
    }
  };
}

/** A stream does not announce when it is listening: sends until the stream receives, and resolves to its first result. */
export async function firstResult(next: () => Promise<Parsed>, send: () => unknown): Promise<Parsed> {
  let isHeard = false;
  const first = next().finally(() => {
    isHeard = true;
  });
  const sending = eventually(async () => {
    if (!isHeard) await send();
    return isHeard;
  });
  const [result] = await Promise.all([first, sending]);
  return result;
}
