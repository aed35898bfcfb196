import { AsyncLocalStorage } from 'node:async_hooks';

/** How long a turn keeps starting work. */
const TURN_MS = 0.5;

const waiting: (() => void)[] = [];
let planned = false;

/**
 * Starts work in small turns, first in, first out. Between turns the event loop polls its sockets, so a reply of the database
 * waits for a few requests rather than for all that arrived with it, during which the database would be idle. Batches run
 * after the requests that have already arrived.
 */
export function inTurn(run: () => void): void {
  // It runs in the context of the caller that submitted it (trace, declared centers).
  plan(AsyncLocalStorage.bind(run));
}

/** For work without a context yet, such as a new request: binding each would create 3 KB of garbage. */
export function deferDetached(run: () => void): void {
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
