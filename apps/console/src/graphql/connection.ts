/**
 * Whether the service answers. A request that fails for lack of an answer starts a probe, which repeats with growing pauses until the
 * service answers again. Meanwhile reads wait and changes fail at once, so that one interruption shows as one message (app/connection-bar.tsx)
 * and every screen stays as it is. Then the reads are sent, and `onRestored` callbacks read again what is on the screen.
 */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;
/** A service that accepts connections but does not answer counts as down. */
const PROBE_TIMEOUT_MS = 10_000;
/** A read that fails while the probe is answered has another problem: it is repeated this many times. */
const MAX_REPEATS = 2;

let isDown = false;
let recovering: Promise<boolean> | undefined;
const watchers = new Set<() => void>();
const restored = new EventTarget();
const hurry = new EventTarget();

export function watchConnection(changed: () => void): () => void {
  watchers.add(changed);
  return () => void watchers.delete(changed);
}

/** True while the service does not answer. */
export const isServiceDown = (): boolean => isDown;

/** Calls back when the service answers again; returns a function that ends it. */
export function onRestored(callback: () => void): () => void {
  restored.addEventListener('restored', callback);
  return () => restored.removeEventListener('restored', callback);
}

/** Resolves once the service answers, to whether it was down. */
export function whenReachable(): Promise<boolean> {
  recovering ??= recover().finally(() => {
    recovering = undefined;
  });
  return recovering;
}

async function recover(): Promise<boolean> {
  let pause = FIRST_PAUSE_MS;
  while (!(await answers())) {
    show(true);
    // Not at the same time as all other browsers.
    await pauseOrHurry(pause * (0.75 + Math.random() / 2));
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
  const wasDown = isDown;
  show(false);
  if (wasDown) restored.dispatchEvent(new Event('restored'));
  return wasDown;
}

function show(down: boolean): void {
  if (isDown === down) return;
  isDown = down;
  for (const changed of watchers) changed();
}

const isGatewayError = ({ status }: Response) => status === 502 || status === 503 || status === 504;

/** Reads from the database, because the service cannot work without it. Any answer but that of a gateway is one, even a refusal. */
async function answers(): Promise<boolean> {
  try {
    const answer = await fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query":"{ me { actorId } }"}',
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    return !isGatewayError(answer);
  } catch {
    return false;
  }
}

function pauseOrHurry(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      hurry.removeEventListener('hurry', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    hurry.addEventListener('hurry', end);
  });
}

window.addEventListener('online', () => hurry.dispatchEvent(new Event('hurry')));
window.addEventListener('offline', () => void whenReachable());
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') hurry.dispatchEvent(new Event('hurry'));
});

/** Sends a request that can be repeated. Without an answer it waits until the service is back, however long that takes. */
export async function sendRead(send: () => Promise<Response>): Promise<Response> {
  for (let repeats = 0; ; repeats++) {
    if (recovering) await recovering;
    const isLast = repeats === MAX_REPEATS;
    const answer = await send().catch((error: Error) => {
      if (error.name === 'AbortError' || isLast) throw error;
      return null;
    });
    if (answer && (isLast || !isGatewayError(answer))) return answer;
    await whenReachable();
  }
}

/** A change that the service did not confirm. */
export class Unconfirmed extends Error {
  readonly wasSent: boolean;

  constructor(wasSent: boolean) {
    super('The service could not be reached.');
    this.wasSent = wasSent;
  }
}

/** Sends a change, once. It is not sent while the service is down. */
export async function sendChange(send: () => Promise<Response>): Promise<Response> {
  if (recovering && !(await answers())) throw new Unconfirmed(false);
  hurry.dispatchEvent(new Event('hurry'));
  const answer = await send().catch((error: Error) => {
    if (error.name === 'AbortError') throw error;
    return null;
  });
  if (answer && !(isGatewayError(answer) && !isJson(answer))) return answer;
  void whenReachable();
  throw new Unconfirmed(true);
}

export const isJson = ({ headers }: Response): boolean =>
  headers.get('content-type')?.includes('json') ?? false;
