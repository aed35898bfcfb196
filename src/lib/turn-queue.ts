import { AsyncLocalStorage } from 'node:async_hooks';

/** How long a turn goes on taking up work. */
const TURN_MS = 0.5;

const waiting: (() => void)[] = [];
let planned = false;

/**
 * Takes up work little by little, in the order in which it came. Between two turns the event loop looks at its sockets, so
 * that a reply of the database waits for a few requests, and not for all that arrived together with it: the database would
 * stand idle meanwhile. What is to be done for many at once is put behind the requests that have already arrived.
 */
export function inTurn(run: () => void): void {
  // It runs in the context of the caller that submitted it (trace, declared centers).
  plan(AsyncLocalStorage.bind(run));
}

/** For work without a context yet, such as a new request: binding each would create 3 KB of garbage. */
export function inTurnByItself(run: () => void): void {
  plan(() => outside(run));
}

const outside = AsyncLocalStorage.snapshot();

function plan(run: () => void): void {
  waiting.push(run);
  if (planned) return;
  planned = true;
  setImmediate(takeTurn);
}

function takeTurn(): void {
  const end = performance.now() + TURN_MS;
  try {
    do waiting.shift()!();
    while (waiting.length > 0 && performance.now() < end);
  } finally {
    planned = waiting.length > 0;
    if (planned) setImmediate(takeTurn);
  }
}
