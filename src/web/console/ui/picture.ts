/** A tab that nobody looks at paints nothing, and a busy one must not be kept waiting for ever. */
const AT_MOST_MS = 100;

/** Not every browser says when it has nothing to do. */
const whenIdle = (then: () => void) =>
  'requestIdleCallback' in globalThis
    ? requestIdleCallback(then, { timeout: AT_MOST_MS })
    : setTimeout(then, 0);

/** Once the browser has painted what is there now, and whoever waited for that has had their turn. */
export const picture = () =>
  new Promise<void>((resolve) => {
    const soon = setTimeout(resolve, AT_MOST_MS);
    requestAnimationFrame(() =>
      whenIdle(() => {
        clearTimeout(soon);
        resolve();
      }),
    );
  });

const STAYS_MS = 150;

/** Once somebody has stayed with what was painted: whoever turns page after page is not followed to each. */
export const stay = () => picture().then(() => new Promise<void>((resolve) => setTimeout(resolve, STAYS_MS)));
