/**
 * Over HTTP/1.1 a browser opens six connections to one host, for all windows together. Therefore windows that follow the
 * same subscription share one stream: the window that holds the stream's lock opens it and passes messages on, and when it
 * closes, the next one takes over. All streams together leave some connections free; a stream beyond that is replaced by
 * polling.
 */
const MOST_STREAMS = 4;
const POLL_MS = 15_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** Part of the name of every stream: windows of another account or center must not hear its messages. */
let owner = '';

export function setStreamOwner(actorId: string | undefined, centerId: number | null | undefined): void {
  owner = `${actorId ?? ''} ${centerId ?? ''}`;
}

interface Stream<Data> {
  /** Windows with equal names share the stream. Null: this window opens its own, and it counts towards no limit. */
  name: string | null;
  /** Opens the stream; returns a function that closes it. */
  open: (onData: (data: Data) => void, onEnd: () => void) => () => void;
  onData: (data: Data) => void;
  /** Messages may have been missed. */
  onGap: () => void;
}

/** Follows a stream until the returned function is called. */
export function followStream<Data>({ name, open, onData, onGap }: Stream<Data>): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  // Locks need a secure context: without them every window has its own streams.
  if (name === null || !navigator.locks) {
    void keepOpen(open, { onData, onGap }, signal);
    return () => stop.abort();
  }

  const key = `countersign-stream ${owner} ${name}`;
  const windows = new BroadcastChannel(key);
  windows.onmessage = ({ data }: MessageEvent<Message<Data>>) =>
    'data' in data ? onData(data.data) : onGap();
  const toAll = {
    onData(data: Data) {
      windows.postMessage({ data } satisfies Message<Data>);
      onData(data);
    },
    onGap() {
      windows.postMessage({ gap: true } satisfies Message<Data>);
      onGap();
    },
  };
  const lead = async () => {
    while (!signal.aborted) {
      if (await withinLimit(() => keepOpen(open, toAll, signal))) return;
      await pauseFor(POLL_MS, signal);
      if (!signal.aborted) toAll.onGap();
    }
  };
  const leadOrWait = async () => {
    const isFirst = await navigator.locks.request(key, { ifAvailable: true }, async (lock) => {
      if (lock) await lead();
      return lock !== null;
    });
    if (isFirst) return;
    await navigator.locks.request(key, { signal }, () => {
      // The window that closed may have missed messages at its end.
      toAll.onGap();
      return lead();
    });
  };
  // The request for a lock is rejected once this window stops following.
  leadOrWait().catch(() => undefined);
  return () => {
    stop.abort();
    windows.close();
  };
}

type Message<Data> = { data: Data } | { gap: true };

/** Runs if another stream may be opened; tells whether it did. One connection carries many streams since HTTP/2. */
async function withinLimit(run: () => Promise<void>): Promise<boolean> {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (page && /^h[23]/.test(page.nextHopProtocol)) {
    await run();
    return true;
  }
  for (let place = 1; place <= MOST_STREAMS; place++) {
    const ran = await navigator.locks.request(
      `countersign-stream-place ${place}`,
      { ifAvailable: true },
      async (lock) => {
        if (lock) await run();
        return lock !== null;
      },
    );
    if (ran) return true;
  }
  return false;
}

/** Opens the stream, and again after it has ended, until stopped. */
async function keepOpen<Data>(
  open: Stream<Data>['open'],
  { onData, onGap }: Pick<Stream<Data>, 'onData' | 'onGap'>,
  signal: AbortSignal,
): Promise<void> {
  let pause = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    await new Promise<void>((resolve) => {
      const close = open((data) => {
        pause = FIRST_PAUSE_MS;
        onData(data);
      }, resolve);
      signal.addEventListener('abort', () => {
        close();
        resolve();
      });
    });
    await pauseFor(pause, signal);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    if (!signal.aborted) onGap();
  }
}

function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
