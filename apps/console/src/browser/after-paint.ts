/** The longest wait: a hidden tab never paints, and a busy one is never idle. */
const AT_MOST_MS = 100;

/** Safari has no requestIdleCallback. */
const whenIdle = (then: () => void) =>
  'requestIdleCallback' in globalThis
    ? requestIdleCallback(then, { timeout: AT_MOST_MS })
    : setTimeout(then, 0);

/** Resolves once the browser has painted the current state and is idle. */
export const afterPaint = () =>
  new Promise<void>((resolve) => {
    const soon = setTimeout(resolve, AT_MOST_MS);
    requestAnimationFrame(() =>
      whenIdle(() => {
        clearTimeout(soon);
        resolve();
      }),
    );
  });

const DWELL_MS = 150;

/** Resolves once the view has stayed unchanged for a moment, so that quick paging loads no page in between. */
export const afterDwell = () =>
  afterPaint().then(() => new Promise<void>((resolve) => setTimeout(resolve, DWELL_MS)));
